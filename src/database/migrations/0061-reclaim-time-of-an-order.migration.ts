import { OneByOne } from './one-by-one';

/** Null for orders of before: the instance that settles one decides, as it did then. */
const COLUMN = 'alter table delegations add column if not exists reclaim_after_ms bigint null';

/** Sold with a time after which the energy is taken back, whatever the settings of the instance that settles the order. */
export class ReclaimTimeOfAnOrder extends OneByOne {
  override name = '0061-reclaim-time-of-an-order';

  override up(): void {
    this.addSql(COLUMN);
  }
}
