import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  create table reconcile_mark (
    id int not null,
    events_up_to bigint not null,
    entries_up_to bigint not null,
    whole_at timestamptz(6) not null,
    primary key (id)
  );
  alter table reconcile_mark add constraint reconcile_mark_single_row check (id = 1);

  create index holds_subscription on holds (subscription_id) where subscription_id is not null;
  create index delegations_taken_back on delegations (reclaimed_at) where state in ('reclaimed', 'taken_back');
`;

export class ReconcilerInBatches extends Migration {
  override name = '0006-reconciler-in-batches';

  override up(): void {
    this.addSql(CHANGE);
  }
}
