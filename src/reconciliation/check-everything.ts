import { Injectable } from '@nestjs/common';
import { withCallPriority } from '../chain/tron/node/call-priority';
import { Sql } from '../database/sql';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { type Finding, finding } from '../findings/finding';
import { ChainComparison, type ComparedChain } from './chain/chain-comparison';
import type { DelegatedResource } from './chain/delegated-resources';
import type { Check } from './checks/check';
import { MONEY_CHECKS } from './checks/money.checks';
import { ORDER_CHECKS } from './checks/order.checks';
import { type Checked, type Keys, runChecks } from './checks/run-checks';
import { TRANSACTION_CHECKS } from './checks/transaction.checks';
import { UseQuarantine } from './uses/use-quarantine.service';
import { WalletUses } from './uses/wallet-uses';

export interface CheckReport {
  readonly ok: boolean;
  readonly checked: Record<string, number>;
  readonly findings: Finding[];
}

interface Extent {
  /** These rows alone. */
  readonly keys?: Keys;
  /** No step is begun after it; its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Called after each batch of rows. */
  readonly onBatch?: () => Promise<void>;
}

const CHECKS: readonly Check[] = [...MONEY_CHECKS, ...ORDER_CHECKS, ...TRANSACTION_CHECKS];

/** Everything that can be compared: money with itself, orders with their time, chain and database with each other. */
@Injectable()
export class CheckEverything {
  constructor(
    private readonly sql: Sql,
    private readonly chain: ChainComparison,
    private readonly uses: WalletUses,
    private readonly useQuarantine: UseQuarantine,
  ) {}

  /** Every row there is. @throws NodeUnavailableError while no node answers. A wallet that cannot be read is a finding. */
  async run(): Promise<CheckReport> {
    const { uses, unread } = await this.lookAtUses();
    const chain = await this.compareChain();
    const known = new Set(chain.unread.walletIds);
    return reportOf(await this.checkRows(), chain, [
      ...uses,
      ...unread.filter(({ about }) => !known.has(about.walletId)),
    ]);
  }

  /** The findings that wait for an acknowledgement, those that the chain shows since, and wallets that could not be looked at. */
  private async lookAtUses() {
    const { uses, faults } = await withCallPriority('audit', () => this.uses.lookNow());
    const found = await this.useQuarantine.unacknowledged(uses);
    const kept = await this.useQuarantine.kept();
    const known = new Set(kept.map(({ subject }) => subject));
    const unread = faults.map(({ walletId, wallet, error }) => {
      if (!(error instanceof NodeUnavailableError)) throw error;
      return finding('wallet_unread', { unread_for: error.reason }, { type: 'wallet', walletId, wallet } as const);
    });
    return { uses: [...kept, ...found.filter(({ subject }) => !known.has(subject))], unread };
  }

  /** @param watched pairs of wallet and receiver that are read in several blocks, explained or not */
  compareChain(watched?: readonly DelegatedResource[], signal?: AbortSignal): Promise<ComparedChain> {
    return withCallPriority('audit', () => this.chain.compare(watched, signal));
  }

  checkRows({ keys, signal, onBatch }: Extent = {}): Promise<Checked> {
    return runChecks(this.sql, CHECKS, { keys, signal, onBatch });
  }
}

/** @param uses of wallets, by somebody else */
export function reportOf(rows: Checked, chain: ComparedChain, uses: readonly Finding[]): CheckReport {
  const findings = [...rows.findings, ...chain.findings, ...chain.unread.findings, ...uses];
  const { chain_transactions: transactions, ...counts } = rows.checked;
  const checked = { ...counts, transactions: transactions!, pairs: chain.pairs };
  return { ok: findings.length === 0, checked, findings };
}
