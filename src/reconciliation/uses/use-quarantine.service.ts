import { hostname } from 'node:os';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { AuditLog, type Operator } from '../../audit-log/audit-log';
import type { WalletRole } from '../../chain/transactions/signing/wallet-role';
import { WalletViewRepository } from '../../chain/pool/wallets/wallet-view.repository';
import { Sql, type SqlTransaction } from '../../database/sql';
import { type Finding, finding } from '../../findings/finding';
import type { WalletTransactionSubject } from '../../common/finding-subject';
import { readSubject } from '../../findings/subject-columns';
import { inEnglish } from '../../findings/finding-text';
import { FindingRepository } from '../../findings/finding.repository';
import { WITHOUT_DOUBT } from '../../findings/wallet-doubts';
import { mayLackRowOf } from '../missing-rows';
import { findingsOf, isAsOurs, isNoted, ofAct, pausesWallet } from './use-findings';
import {
  ACKNOWLEDGED_AMONG,
  KEPT_USES,
  LIST_PAUSED,
  LOCK_USED,
  PAUSE_USED,
  RESUME_ACKNOWLEDGED,
} from './use-quarantine.statements';
import type { WalletUse } from './use-search';

/** No operator asked for it: the address tells a reader of the log which instance it was. */
const RECONCILER: Operator = { id: null, service: 'reconciler', address: hostname() };

/**
 * Keeps what wallets did that the outbox does not know, and pauses them until somebody has acknowledged it: its owner's own acts look the same
 * as a thief's. Finding, pause and how far was looked are one transaction: after a crash the same blocks are looked
 * through again, and what was acknowledged is not found again.
 */
@Injectable()
export class UseQuarantine {
  private readonly logger = new Logger(UseQuarantine.name);

  constructor(
    private readonly sql: Sql,
    private readonly findings: FindingRepository,
    private readonly views: WalletViewRepository,
    private readonly audit: AuditLog,
    @Inject(CONFIGURATION) private readonly configuration: Pick<Configuration, 'reconcileMs'>,
  ) {}

  /** One that fails (the wallet's row is locked) keeps no other from being paused. @returns names of the wallets that took orders until now */
  async keep(uses: readonly WalletUse[], faults: unknown[]): Promise<string[]> {
    const paused: string[] = [];
    for (const use of uses) {
      try {
        if (await this.keepOne(use)) paused.push(use.wallet);
      } catch (error) {
        faults.push(error);
        this.logger.error(
          { err: error },
          `What ${use.wallet} was used for could not be kept; the next run tries again`,
        );
      }
    }
    return paused;
  }

  /** All that is open, whenever it was found. */
  async kept(): Promise<Finding[]> {
    return (await this.sql.rows(KEPT_USES)).flatMap((row) => {
      const about = readSubject(row);
      // Written with the parameters of their kind.
      return about ? [finding(row.code, row.parameters as never, about, 0n)] : [];
    });
  }

  /** What was found just now and is not kept yet, without what an operator has acknowledged. */
  async unacknowledged(uses: readonly WalletUse[]): Promise<Finding[]> {
    const txIds = uses.flatMap(({ acts }) => acts.map(({ txId }) => txId));
    const known = txIds.length > 0 ? await this.sql.rows(ACKNOWLEDGED_AMONG, [txIds]) : [];
    const isKnown = ({ walletId }: WalletUse, txId: string) =>
      known.some((one) => one.tx_id === txId && one.wallet_id === walletId);
    const found = uses.flatMap((use) =>
      findingsOf({ ...use, acts: use.acts.filter(({ txId }) => !isKnown(use, txId)) }),
    );
    return found.filter((one) => !isNoted(one));
  }

  /**
   * One that was paused for a use takes orders again, once nothing is open about it that has to be explained; never one that an operator
   * has paused. With the wallet locked: what is found at this moment is seen.
   */
  async resumeOne(operator: Operator, walletId: string, tx: SqlTransaction): Promise<boolean> {
    const resumed = await tx.row(RESUME_ACKNOWLEDGED, [walletId, WITHOUT_DOUBT]);
    if (!resumed) return false;
    const facts = { before: { state: 'paused' }, after: { state: 'active' } };
    await this.audit.append(operator, { ...stateOf(resumed.name), ...facts }, tx);
    return true;
  }

  /**
   * Those whose last finding has gone by itself, after somebody had acknowledged what the wallet was used for. By the rows and not by what this
   * run has seen to be gone: a crash in between keeps no wallet paused. @returns names of the wallets that take orders again
   */
  async resume(faults: unknown[]): Promise<string[]> {
    const resumed: string[] = [];
    for (const { id, name } of await this.sql.rows(LIST_PAUSED)) {
      try {
        const isResumed = await this.sql.transaction(
          async (tx) => (await tx.row(LOCK_USED, [id])) !== null && (await this.resumeOne(RECONCILER, id, tx)),
        );
        if (!isResumed) continue;
      } catch (error) {
        faults.push(error);
        this.logger.error({ err: error }, `The wallet ${name} could not be resumed; the next run tries again`);
        continue;
      }
      this.logger.warn(`The wallet ${name} takes orders again: nothing is open about it any more`);
      resumed.push(name);
    }
    return resumed;
  }

  private keepOne(use: WalletUse): Promise<boolean> {
    const { walletId, wallet, reading } = use;
    return this.sql.transaction(async (tx) => {
      // In this order those who acknowledge take their locks, too.
      const locked = await tx.row(LOCK_USED, [walletId]);
      if (!locked) return false;
      const isPaused = await this.pauseFor(findingsOf(use), use, locked.role, tx);
      if (isPaused && locked.state === 'active') await this.notePause(use, tx);
      if (reading) await this.views.explain(tx, walletId, reading);
      if (!isPaused || locked.state !== 'active') return false;
      tx.afterCommit(() => this.logger.error(`The wallet ${wallet} takes no new orders: somebody else has used it`));
      return true;
    });
  }

  private async pauseFor(
    found: readonly Finding[],
    use: WalletUse,
    role: WalletRole,
    tx: SqlTransaction,
  ): Promise<boolean> {
    const { walletId, wallet } = use;
    const fresh: { readonly id: bigint; readonly found: Finding }[] = [];
    for (const one of found) {
      if (isNoted(one)) {
        await this.note(one, tx);
        continue;
      }
      const seen = await this.findings.seen(one, tx);
      if (!seen?.isNew) continue;
      fresh.push({ id: seen.id, found: one });
      const document = inEnglish(one);
      tx.afterCommit(() =>
        this.logger.error({ finding: document }, `Found: ${document.kind}, ${document.subject}: ${document.reason}`),
      );
    }
    const serious = fresh.filter((one) => pausesWallet(one.found));
    if (serious.length === 0) return false;
    const excused = await this.ofMissingRows(use, role, tx);
    if (serious.every(({ found: { subject } }) => excused.has(subject))) return false;
    if ((await tx.execute(PAUSE_USED, [walletId])) === 0) return false;
    for (const { id } of serious) await this.findings.acted(id, 'wallet_paused', wallet, tx);
    return true;
  }

  private async note(act: Finding<WalletTransactionSubject>, tx: SqlTransaction): Promise<void> {
    if (!(await this.findings.noted(act, tx))) return;
    const { reason } = inEnglish(act);
    tx.afterCommit(() => this.logger.warn(`Noted: ${reason}`));
  }

  /** Subjects of what the service itself may have signed, with rows that are missing since a fail-over, a restore or a pause. */
  private async ofMissingRows(use: WalletUse, role: WalletRole, tx: SqlTransaction): Promise<ReadonlySet<string>> {
    const subjects = new Set<string>();
    for (const act of use.acts.filter((one) => isAsOurs(one, role)))
      if (await mayLackRowOf(tx, this.configuration.reconcileMs, act.timeMs)) subjects.add(ofAct(use, act).subject);
    return subjects;
  }

  private async notePause(use: WalletUse, tx: SqlTransaction): Promise<void> {
    const { wallet } = use;
    const found = use.acts.map((act) => ofAct(use, act)).map(({ kind, subject }) => `${kind} ${subject}`);
    const facts = { before: { state: 'active' }, after: { state: 'paused', found } };
    await this.audit.append(RECONCILER, { ...stateOf(wallet), ...facts }, tx);
  }
}

function stateOf(name: string) {
  return { action: 'wallet.state', subject: `wallet ${name}`, outcome: 'done' } as const;
}
