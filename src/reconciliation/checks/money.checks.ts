import type { Queryable } from '../../database/sql';
import type { AuditCheck } from './check';
import { HOLD_CHECKS } from './hold.checks';
import { LEDGER_CHECKS } from './ledger.checks';
import { ORDER_CHECKS } from './payment.checks';
import { walk, type Walked } from './run-checks';

export const MONEY_CHECKS: readonly AuditCheck[] = [...LEDGER_CHECKS, ...HOLD_CHECKS, ...ORDER_CHECKS];

/** Whether money, quota, holds and orders agree. Reads only; takes no lock; orders in flight are no finding. */
export function auditMoney(db: Queryable): Promise<Walked> {
  return walk(db, MONEY_CHECKS);
}
