import { auditMoney } from '../../src/reconciliation/checks/money.checks';
import type { Queryable } from '../../src/database/sql';

/** After every test that moves money: entries add up to balances, holds equal open orders, nothing is negative. */
export async function expectLedgerConsistent(db: Queryable): Promise<void> {
  expect((await auditMoney(db)).findings).toEqual([]);
}
