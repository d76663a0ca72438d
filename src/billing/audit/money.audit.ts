import type { Queryable, Statement } from '../../database/sql';
import { type Finding, runChecks } from './audit-check';
import { HOLD_CHECKS } from './hold.checks';
import { LEDGER_CHECKS } from './ledger.checks';
import { ORDER_CHECKS } from './order.checks';

export interface MoneyAudit {
  /** How many rows of each kind were looked at. */
  checked: Record<string, number>;
  findings: Finding[];
}

const COUNT: Statement = {
  name: 'audit_money_count',
  text: `
    select (select count(*) from accounts)::integer as accounts,
           (select count(*) from ledger_entries)::integer as ledger_entries,
           (select count(*) from subscriptions)::integer as subscriptions,
           (select count(*) from holds)::integer as holds`,
};

/** Whether money, quota, holds and orders agree. Reads only; takes no lock; orders in flight are no finding. */
export async function auditMoney(db: Queryable): Promise<MoneyAudit> {
  const checked = (await db.row<Record<string, number>>(COUNT))!;
  return { checked, findings: await runChecks(db, [...LEDGER_CHECKS, ...HOLD_CHECKS, ...ORDER_CHECKS]) };
}
