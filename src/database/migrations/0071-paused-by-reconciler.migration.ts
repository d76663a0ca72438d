import { OneByOne } from './one-by-one';

/** Wallets that are paused by now stay so until an operator resumes them, as before. */
const COLUMN = 'alter table pool_wallets add column if not exists paused_by_reconciler boolean not null default false';

/** Whether an acknowledgement may end a pause: never one that an operator has begun. */
export class PausedByReconciler extends OneByOne {
  override name = '0071-paused-by-reconciler';

  override up(): void {
    this.addSql(COLUMN);
  }
}
