import { Migration } from '@mikro-orm/migrations';

const RESTS = `
  alter table pool_wallets add column refusals int not null default 0;
  alter table pool_wallets add column resting_until timestamptz(6) null;
  alter table pool_wallets add column refused_at timestamptz(6) null;
  alter table pool_wallets add column last_refusal jsonb null;
`;

export class WalletsRestAndLeave extends Migration {
  override name = '0013-wallets-rest-and-leave';

  override up(): void {
    this.addSql(RESTS);
  }
}
