import type { Queryable } from '../../database/sql';
import type { Check } from './check';
import { HOLD_CHECKS } from './hold.checks';
import { LEDGER_CHECKS } from './ledger.checks';
import { PAYMENT_CHECKS } from './payment.checks';
import { type Checked, runChecks } from './run-checks';

export const MONEY_CHECKS: readonly Check[] = [...LEDGER_CHECKS, ...HOLD_CHECKS, ...PAYMENT_CHECKS];

/** Whether money, quota, holds and orders agree. Reads only; takes no lock; orders in flight are no finding. */
export function checkMoney(db: Queryable): Promise<Checked> {
  return runChecks(db, MONEY_CHECKS);
}
