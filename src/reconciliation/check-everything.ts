import { Injectable } from '@nestjs/common';
import type { AuditCheck, Finding } from './checks/check';
import { MONEY_CHECKS } from './checks/money.checks';
import { type Keys, walk } from './checks/run-checks';
import { Sql } from '../database/sql';
import { AuditChain, type ChainAudit } from './chain/chain-comparison';
import type { LentPair } from './chain/delegated-resources';
import { ORDER_LIFE_CHECKS } from './checks/order.checks';
import { TRANSACTION_CHECKS } from './checks/transaction.checks';

export interface AuditReport {
  readonly ok: boolean;
  readonly checked: Record<string, number>;
  readonly findings: Finding[];
}

interface Extent {
  readonly keys?: Keys;
  /** Pairs of wallet and receiver that are read in several blocks, explained or not. */
  readonly watched?: readonly LentPair[];
  /** No step is begun after it; its reason is thrown. */
  readonly signal?: AbortSignal;
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

  /** The same, of these rows alone when `keys` says so, with what the orders do not explain between wallets and receivers. */
  async inspect({ keys, watched, signal }: Extent = {}): Promise<{ report: AuditReport; chain: ChainAudit }> {
    const rows = await walk(this.sql, CHECKS, keys, signal);
    const chain = await this.chain.audit(watched, signal);
    const pairs = chain.findings.map(({ kind, subject, reason, next_step }) => ({ kind, subject, reason, next_step }));
    const findings = [...rows.findings, ...pairs];
    const { chain_transactions: transactions, ...counts } = rows.checked;
    const checked = { ...counts, transactions: transactions!, pairs: chain.pairs };
    return { report: { ok: findings.length === 0, checked, findings }, chain };
  }
}
