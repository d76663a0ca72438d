import type { Queryable } from '../../src/database/sql';
import { checkMoney } from '../../src/reconciliation/checks/money.checks';

/** After every test that moves money: entries add up to balances, holds equal open orders, nothing is negative. */
export async function expectLedgerConsistent(db: Queryable): Promise<void> {
  expect((await checkMoney(db)).findings).toEqual([]);
}
