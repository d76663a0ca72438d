import { Migration } from '@mikro-orm/migrations';

/** Unlogged, written by hand: counts of calls are not worth a flush to disk on every request. */
const TABLE = `
  create unlogged table rate_limit_windows (
    key text not null,
    calls int not null,
    ends_at timestamptz(6) not null,
    primary key (key)
  );
  create index rate_limit_windows_ends_at on rate_limit_windows (ends_at);
`;

export class RateLimitWindows extends Migration {
  override name = '0002-rate-limit-windows';

  override up(): void {
    this.addSql(TABLE);
  }
}
