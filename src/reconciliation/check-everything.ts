import { Injectable } from '@nestjs/common';
import { withCallPriority } from '../chain/node/call-priority';
import { Sql } from '../database/sql';
import type { Finding } from '../findings/finding';
import { ChainComparison, type ComparedChain } from './chain/chain-comparison';
import type { DelegatedResource } from './chain/delegated-resources';
import type { Check } from './checks/check';
import { MONEY_CHECKS } from './checks/money.checks';
import { ORDER_CHECKS } from './checks/order.checks';
import { type Keys, runChecks } from './checks/run-checks';
import { TRANSACTION_CHECKS } from './checks/transaction.checks';

export interface CheckReport {
  readonly ok: boolean;
  readonly checked: Record<string, number>;
  readonly findings: Finding[];
}

interface Extent {
  readonly keys?: Keys;
  /** Pairs of wallet and receiver that are read in several blocks, explained or not. */
  readonly watched?: readonly DelegatedResource[];
  /** No step is begun after it; its reason is thrown. */
  readonly signal?: AbortSignal;
}

const CHECKS: readonly Check[] = [...MONEY_CHECKS, ...ORDER_CHECKS, ...TRANSACTION_CHECKS];

/** Everything that can be compared: money with itself, orders with their time, chain and database with each other. */
@Injectable()
export class CheckEverything {
  constructor(
    private readonly sql: Sql,
    private readonly chain: ChainComparison,
  ) {}

  /** Every row there is. @throws NodeUnavailableError while no node answers. A wallet that cannot be read is a finding. */
  async run(): Promise<CheckReport> {
    const { report } = await this.inspect();
    return report;
  }

  /** The same, of these rows alone when `keys` says so, with what the orders do not explain between wallets and receivers. */
  async inspect({ keys, watched, signal }: Extent = {}): Promise<{ report: CheckReport; chain: ComparedChain }> {
    const rows = await runChecks(this.sql, CHECKS, keys, signal);
    const chain = await withCallPriority('audit', () => this.chain.compare(watched, signal));
    const findings = [...rows.findings, ...chain.findings, ...chain.unread.findings];
    const { chain_transactions: transactions, ...counts } = rows.checked;
    const checked = { ...counts, transactions: transactions!, pairs: chain.pairs };
    return { report: { ok: findings.length === 0, checked, findings }, chain };
  }
}
