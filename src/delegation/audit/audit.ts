import { Injectable } from '@nestjs/common';
import type { AuditCheck, Finding } from '../../billing/audit/audit-check';
import { MONEY_CHECKS } from '../../billing/audit/money.audit';
import { type Keys, walk } from '../../billing/audit/walk';
import { Sql } from '../../database/sql';
import { AuditChain } from './chain.audit';
import type { PairFinding } from './pair-findings';
import { ORDER_LIFE_CHECKS } from './order.checks';
import { TRANSACTION_CHECKS } from './transaction.checks';

export interface AuditReport {
  readonly ok: boolean;
  readonly checked: Record<string, number>;
  readonly findings: Finding[];
}

const CHECKS: readonly AuditCheck[] = [...MONEY_CHECKS, ...ORDER_LIFE_CHECKS, ...TRANSACTION_CHECKS];

/** Everything that can be compared: money with itself, orders with their time, chain and database with each other. */
@Injectable()
export class Audit {
  constructor(
    private readonly sql: Sql,
    private readonly chain: AuditChain,
  ) {}

  /** Every row there is. @throws NodeUnavailableError: half an audit is none */
  async run(): Promise<AuditReport> {
    const { report } = await this.inspect();
    return report;
  }

  /** The same, of these rows alone when `keys` says so, with the wallets whose stake the orders do not explain. */
  async inspect(keys?: Keys): Promise<{ report: AuditReport; pairs: readonly PairFinding[] }> {
    const rows = await walk(this.sql, CHECKS, keys);
    const chain = await this.chain.audit();
    const pairs = chain.findings.map(({ kind, subject, reason, next_step }) => ({ kind, subject, reason, next_step }));
    const findings = [...rows.findings, ...pairs];
    const { chain_transactions: transactions, ...counts } = rows.checked;
    const checked = { ...counts, transactions: transactions!, pairs: chain.pairs };
    return { report: { ok: findings.length === 0, checked, findings }, pairs: chain.findings };
  }
}
