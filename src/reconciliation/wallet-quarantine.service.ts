import { hostname } from 'node:os';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import type { WalletRow } from '../chain/pool/wallets/wallet-row';
import { Sql, type SqlTransaction } from '../database/sql';
import { inEnglish } from '../findings/finding-text';
import { FindingRepository } from '../findings/finding.repository';
import type { ResolvedFinding } from '../findings/finding.statements';
import { mayHaveBeenMisread } from '../findings/suspect-readings';
import type { DelegatedResourceFinding } from './chain/delegated-resource-findings';
import { lacksRows } from './missing-rows';
import { UnexplainedStakeRepository } from './unexplained-stakes/unexplained-stake.repository';
import { LOCK, PAUSE, RESUME } from './wallet-quarantine.statements';

/** No operator asked for it: the address tells a reader of the log which instance it was. */
const RECONCILER: Operator = { id: null, service: 'reconciler', address: hostname() };

/**
 * A wallet whose stake is not explained takes no orders; one that was paused for a wrong reading takes them again. Each with its
 * entry in the audit log, in one transaction. After a fail-over, a restore or a pause the chain may have stake of rows that are
 * missing: it is found and kept, and pauses no wallet.
 */
@Injectable()
export class WalletQuarantineService {
  private readonly logger = new Logger(WalletQuarantineService.name);

  constructor(
    private readonly sql: Sql,
    private readonly pool: PoolWallets,
    private readonly stakes: UnexplainedStakeRepository,
    private readonly findings: FindingRepository,
    private readonly audit: AuditLog,
    @Inject(CONFIGURATION) private readonly configuration: Pick<Configuration, 'reconcileMs'>,
  ) {}

  /**
   * For what is more than was known of a pair of wallet and receiver. @returns the names of those that took orders until now
   * @param faults gets why wallets could not be paused: none of them keeps another from it
   */
  async pause(findings: readonly DelegatedResourceFinding[], faults: unknown[] = []): Promise<string[]> {
    const wallets = new Map((await this.pool.list()).map((wallet) => [wallet.id, wallet]));
    const paused: string[] = [];
    for (const id of new Set(findings.map(({ about }) => about.walletId))) {
      const wallet = wallets.get(id);
      const ofWallet = findings.filter(({ about }) => about.walletId === id);
      if (!wallet || !(await this.tryOne(wallet.name, faults, () => this.pauseOne(wallet, ofWallet)))) continue;
      this.logger.error(`The wallet ${wallet.name} takes no new orders: its stake is not explained`);
      paused.push(wallet.name);
    }
    return paused;
  }

  /** One that fails (the wallet's row is locked) keeps no other wallet from being paused; the next run finds the same, and tries again. */
  private async tryOne(name: string, faults: unknown[], change: () => Promise<boolean>): Promise<boolean> {
    try {
      return await change();
    } catch (error) {
      faults.push(error);
      this.logger.error({ err: error }, `The wallet ${name} could not be paused or resumed; the next run tries again`);
      return false;
    }
  }

  /**
   * With the findings, under the wallet's lock: what is known of a pair pauses no wallet again, so an operator who resumes it has to have them
   * in sight, and a crash may not leave a paused wallet without them.
   */
  private pauseOne({ id, name, state }: WalletRow, findings: readonly DelegatedResourceFinding[]): Promise<boolean> {
    return this.sql.transaction(async (tx) => {
      if (!(await tx.row(LOCK, [id, state]))) return false;
      const grown = await this.stakes.grown(tx, id, findings);
      if (grown.length === 0) return false;
      const ids = await this.keep(findings, tx);
      // Known from now on: of what more is found there later, somebody has to say what it is.
      if (grown.every(isOfMissingRows) && (await lacksRows(tx, this.configuration.reconcileMs))) return false;
      await tx.execute(PAUSE, [id, grown.every(mayHaveBeenMisread)]);
      if (state !== 'active') return false;
      for (const findingId of ids) await this.findings.acted(findingId, 'wallet_paused', name, tx);
      const found = grown.map(({ kind, subject }) => `${kind} ${subject}`);
      const facts = { before: { state }, after: { state: 'paused', found } };
      await this.audit.append(RECONCILER, { ...stateOf(name), ...facts }, tx);
      return true;
    });
  }

  /** @returns their ids */
  private async keep(findings: readonly DelegatedResourceFinding[], tx: SqlTransaction): Promise<bigint[]> {
    const ids: bigint[] = [];
    for (const found of findings) {
      const seen = await this.findings.seen(found, tx);
      if (!seen) continue;
      ids.push(seen.id);
      if (!seen.isNew) continue;
      const document = inEnglish(found);
      tx.afterCommit(() =>
        this.logger.error({ finding: document }, `Found: ${document.kind}, ${document.subject}: ${document.reason}`),
      );
    }
    return ids;
  }

  /** Never one that an operator has paused, before or after. @returns the names of those that take orders again */
  async resume(gone: readonly ResolvedFinding[], faults: unknown[] = []): Promise<string[]> {
    const resumed: string[] = [];
    for (const finding of gone) {
      const { kind, subject, wallet_id: id, wallet: name, receiver } = finding;
      if (!mayHaveBeenMisread(finding) || id === null || name === null || receiver === null) continue;
      if (!(await this.tryOne(name, faults, () => this.resumeOne(id, name, receiver, `${kind} ${subject}`)))) continue;
      this.logger.warn(`The wallet ${name} takes orders again: its stake is there, the readings were wrong`);
      resumed.push(name);
    }
    return resumed;
  }

  private resumeOne(id: string, name: string, receiver: string, gone: string): Promise<boolean> {
    return this.sql.transaction(async (tx) => {
      if ((await tx.execute(RESUME, [id, receiver])) === 0) return false;
      const facts = { before: { state: 'paused' }, after: { state: 'active', gone: [gone] } };
      await this.audit.append(RECONCILER, { ...stateOf(name), ...facts }, tx);
      return true;
    });
  }
}

/** A lost row explains it, or rather would. This service never locks stake. */
function isOfMissingRows({ code }: DelegatedResourceFinding): boolean {
  return code !== 'foreign_stake_locked' && code !== 'foreign_stake_past_lock';
}

function stateOf(name: string) {
  return { action: 'wallet.state', subject: `wallet ${name}`, outcome: 'done' } as const;
}
