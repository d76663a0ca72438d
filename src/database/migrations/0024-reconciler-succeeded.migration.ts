import { Migration } from '@mikro-orm/migrations';

/** Unknown until the next run; a version before this one leaves it as it is. */
const CHANGE = `alter table reconcile_mark add column succeeded_at timestamptz(6) null;`;

export class ReconcilerSucceeded extends Migration {
  override name = '0024-reconciler-succeeded';

  override up(): void {
    this.addSql(CHANGE);
  }
}
