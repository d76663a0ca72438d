import { Injectable, Logger } from '@nestjs/common';
import { withCallPriority } from '../chain/tron/node/call-priority';
import type { Finding } from '../findings/finding';
import { nameOfSubject } from '../common/finding-subject';
import { inEnglish } from '../findings/finding-text';
import { FindingRepository, type SeenFinding } from '../findings/finding.repository';
import { Alarms } from './alarms/alarms';
import { ChangedRows } from './changed-rows';
import { CheckEverything, type CheckReport, reportOf } from './check-everything';
import { ReconcileMarkRepository } from './reconcile-mark.repository';
import { RepairService } from './repair.service';
import { UnexplainedStakeRepository } from './unexplained-stakes/unexplained-stake.repository';
import { UseQuarantine } from './uses/use-quarantine.service';
import { WalletUses } from './uses/wallet-uses';
import { WalletQuarantineService } from './wallet-quarantine.service';

export interface Reconciliation extends CheckReport {
  /** How many findings were repaired, by the name that the command line and the audit log have always had for it. */
  readonly mended: number;
  /** Whether every row was looked at. */
  readonly whole: boolean;
  /** Names of the wallets that take no orders from now on. */
  readonly paused: readonly string[];
  /** Names of those that take orders again: the reading was wrong, or what they were used for is acknowledged and the rest has gone. */
  readonly resumed: readonly string[];
  readonly alarms: readonly Finding[];
}

interface KeptFinding extends SeenFinding {
  readonly subject: string;
}

/**
 * The comparison with consequences: what it finds is kept, what has only one right value is repaired, and a wallet whose stake is not
 * explained takes no more orders. Reclaims always go on. A wallet is paused once for as much stake as was found: an operator who
 * resumes it has seen that, and is overruled by no later run unless more is found.
 */
@Injectable()
export class Reconciler {
  private readonly logger = new Logger(Reconciler.name);

  constructor(
    private readonly checks: CheckEverything,
    private readonly marks: ReconcileMarkRepository,
    private readonly changed: ChangedRows,
    private readonly alarms: Alarms,
    private readonly repairs: RepairService,
    private readonly wallets: WalletQuarantineService,
    private readonly uses: WalletUses,
    private readonly useQuarantine: UseQuarantine,
    private readonly stakes: UnexplainedStakeRepository,
    private readonly findings: FindingRepository,
  ) {}

  /**
   * `changed`: the chain in full, and of the rows those that changed since the last run or have a finding; what has ended
   * changes only by hand or by a restore, and every day one run looks at everything.
   * The chain comes first, and wallets are paused before anything else is read or written: a thief does not wait for rows that are
   * locked, or for millions of them. That is done whether the service ends or not; the rows may be left to the next run.
   * A wallet that cannot be read is a finding, and leaves undecided what was found of it before.
   * @param onBatch called after each batch of rows
   * @throws NodeUnavailableError while no node answers; the signal's reason when that comes before the comparison's end
   */
  async run(
    extent: 'whole' | 'changed' = 'whole',
    signal?: AbortSignal,
    onBatch?: () => Promise<void>,
  ): Promise<Reconciliation> {
    await this.alarms.refreshCapacity();
    signal?.throwIfAborted();
    const begunAt = await this.findings.now();
    // Before the rows are read: what changes meanwhile comes after it.
    const nextMark = await this.marks.next();
    const faults: unknown[] = [];
    const used = await this.keepUses(faults, signal);
    const known = await this.stakes.list();
    const chain = await this.checks.compareChain(known.pairs(), signal);
    const unexplained = await this.wallets.pause(chain.findings, faults);
    const ofChain = await this.keep([...chain.findings, ...chain.unread.findings]);
    const paused = [...used, ...unexplained];

    const keys = extent === 'changed' ? await this.changed.since((await this.marks.read()) ?? nextMark) : undefined;
    const rows = await this.checks.checkRows({ keys, signal, onBatch });
    const alarms = await this.alarms.read();
    const kept = [...ofChain, ...(await this.keep([...rows.findings, ...alarms]))];
    const undecided = { ...known.undecided(chain.findings, chain.atMost), walletIds: chain.unread.walletIds };
    const ids = kept.map(({ id }) => id);
    const misread = await this.wallets.resume(await this.findings.resolveOthers(ids, begunAt, undecided), faults);
    // A run that has not looked at everything does not know that nothing is left.
    const acknowledged = faults.length === 0 ? await this.useQuarantine.resume(faults) : [];
    await this.stakes.shrink(known, chain.atMost);
    const report = reportOf(rows, chain, await this.useQuarantine.kept());
    const repairs = report.ok ? [] : await this.repairs.repair(signal);
    for (const { about, action } of repairs) {
      for (const { id } of ofSubject(kept, nameOfSubject(about))) await this.findings.acted(id, action);
    }
    await this.marks.set(nextMark, extent === 'whole');
    // Everything else is done; a run that has failed is due again soon.
    if (faults.length > 0) throw faults[0];
    return {
      ...report,
      whole: extent === 'whole',
      mended: repairs.length,
      paused,
      resumed: [...misread, ...acknowledged],
      alarms,
    };
  }

  /** What the nodes do not show of it keeps nothing else from being compared. */
  private async keepUses(faults: unknown[], signal?: AbortSignal): Promise<string[]> {
    try {
      const looked = await withCallPriority('audit', () => this.uses.look(signal));
      for (const { wallet, error } of looked.faults) this.notLookedAt(wallet, error, faults);
      return await this.useQuarantine.keep(looked.uses, faults);
    } catch (error) {
      signal?.throwIfAborted();
      this.notLookedAt('the wallets', error, faults);
      return [];
    }
  }

  private notLookedAt(what: string, error: unknown, faults: unknown[]): void {
    faults.push(error);
    this.logger.error({ err: error }, `What was done with ${what} could not be looked at; the next run does`);
  }

  private async keep(findings: readonly Finding[]): Promise<KeptFinding[]> {
    const kept: KeptFinding[] = [];
    for (const found of findings) {
      const seen = await this.findings.seen(found);
      if (!seen) continue;
      kept.push({ ...seen, subject: found.subject });
      if (seen.isNew) this.report(found);
    }
    return kept;
  }

  private report(found: Finding): void {
    const finding = inEnglish(found);
    this.logger.error({ finding }, `Found: ${finding.kind}, ${finding.subject}: ${finding.reason}`);
  }
}

function ofSubject(kept: readonly KeptFinding[], subject: string): KeptFinding[] {
  return kept.filter((finding) => finding.subject === subject);
}
