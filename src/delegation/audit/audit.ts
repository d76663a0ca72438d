import { Injectable } from '@nestjs/common';
import { runChecks, type Finding } from '../../billing/audit/audit-check';
import { auditMoney } from '../../billing/audit/money.audit';
import { Sql, type Statement } from '../../database/sql';
import { AuditChain } from './chain.audit';
import type { PairFinding } from './pair-findings';
import { ORDER_LIFE_CHECKS } from './order.checks';
import { TRANSACTION_CHECKS } from './transaction.checks';

export interface AuditReport {
  readonly ok: boolean;
  readonly checked: Record<string, number>;
  readonly findings: Finding[];
}

const COUNT: Statement = {
  name: 'audit_order_count',
  text: `select (select count(*) from delegations)::integer as delegations,
                (select count(*) from chain_transactions)::integer as transactions`,
};

/** Everything that can be compared: money with itself, orders with their time, chain and database with each other. */
@Injectable()
export class Audit {
  constructor(
    private readonly sql: Sql,
    private readonly chain: AuditChain,
  ) {}

  /** @throws NodeUnavailableError: half an audit is none */
  async run(): Promise<AuditReport> {
    const { report } = await this.inspect();
    return report;
  }

  /** The same, with the wallets whose stake the orders do not explain. */
  async inspect(): Promise<{ report: AuditReport; pairs: readonly PairFinding[] }> {
    const money = await auditMoney(this.sql);
    const orders = await runChecks(this.sql, [...ORDER_LIFE_CHECKS, ...TRANSACTION_CHECKS]);
    const counts = await this.sql.row<Record<string, number>>(COUNT);
    const chain = await this.chain.audit();
    const pairs = chain.findings.map(({ kind, subject, reason, next_step }) => ({ kind, subject, reason, next_step }));
    const findings = [...money.findings, ...orders, ...pairs];
    const checked = { ...money.checked, ...counts, pairs: chain.pairs };
    return { report: { ok: findings.length === 0, checked, findings }, pairs: chain.findings };
  }
}
