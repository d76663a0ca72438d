import { OneByOne } from './one-by-one';

const TABLE = `
  create table if not exists instance_terms (
    id uuid not null,
    host text not null,
    terms jsonb not null,
    seen_at timestamptz(6) not null default clock_timestamp(),
    primary key (id)
  )`;

/** What running instances sell by, so that two that differ are noticed. */
export class InstanceTermsTable extends OneByOne {
  override name = '0062-instance-terms';

  override up(): void {
    this.addSql(TABLE);
  }
}
