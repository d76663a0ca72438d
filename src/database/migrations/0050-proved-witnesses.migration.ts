import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  create table witness_changes (
    id serial primary key,
    number bigint not null,
    time_ms bigint not null,
    joined jsonb null,
    gone jsonb null,
    created_at timestamptz(6) not null default now()
  );
  alter table witness_set add followed jsonb null, add named jsonb null, add version int not null default 0, alter column base drop not null;
`;

/** New witnesses are proved by the chain. Those that were believed before stay believed, and are followed from the next head on. */
export class ProvedWitnesses extends Migration {
  override name = '0050-proved-witnesses';

  override up(): void {
    this.addSql(CHANGE);
  }
}
