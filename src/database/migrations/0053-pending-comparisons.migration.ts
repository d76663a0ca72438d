import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  alter table compared_pairs add pending_tx_id text null;
`;

/** A pair counts as compared once the reclaim that it was read for is final. Pairs that are compared stay so. */
export class PendingComparisons extends Migration {
  override name = '0053-pending-comparisons';

  override up(): void {
    this.addSql(CHANGE);
  }
}
