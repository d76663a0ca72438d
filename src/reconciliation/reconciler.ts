import { Injectable, Logger } from '@nestjs/common';
import { Capacity } from '../chain/wallets/capacity';
import type { Finding } from '../findings/finding';
import { FindingStore, type ResolvedFinding, type SeenFinding, type Undecided } from '../findings/finding.store';
import { ActivationAlarms } from './alarms/activation.alarms';
import { PoolAlarms } from './alarms/pool.alarms';
import { ChangedRows } from './changed-rows';
import { CheckEverything, type CheckReport } from './check-everything';
import { RepairService } from './repair.service';
import { UnexplainedStakes } from './unexplained-stakes/unexplained-stakes';
import { WalletQuarantineService } from './wallet-quarantine.service';

export interface Reconciliation extends CheckReport {
  readonly mended: number;
  /** Whether every row was looked at. */
  readonly whole: boolean;
  /** Names of the wallets that take no orders from now on. */
  readonly paused: readonly string[];
  /** Names of those that take orders again: they had been paused for a reading that was wrong. */
  readonly resumed: readonly string[];
  readonly alarms: readonly Finding[];
}

/**
 * The audit with consequences: what it finds is kept, what has only one right value is mended, and a wallet whose stake is not
 * explained takes no more orders. Reclaims always go on. A wallet is paused once for as much stake as was found: an operator who
 * resumes it has seen that, and is overruled by no later run unless more is found.
 */
@Injectable()
export class Reconciler {
  private readonly logger = new Logger(Reconciler.name);

  constructor(
    private readonly audit: CheckEverything,
    private readonly changed: ChangedRows,
    private readonly capacity: Capacity,
    private readonly alarms: PoolAlarms,
    private readonly activationAlarms: ActivationAlarms,
    private readonly mendFindings: RepairService,
    private readonly wallets: WalletQuarantineService,
    private readonly stakes: UnexplainedStakes,
    private readonly store: FindingStore,
  ) {}

  /**
   * `changed`: the chain in full, and of the rows those that changed since the last run or have a finding; what is over
   * changes only by hand or by a restore, and everything is looked at once a day.
   * Once everything is compared, what follows from it is done whether the service ends or not: a wallet is paused for a new finding
   * alone, and that is kept first.
   * @throws NodeUnavailableError: half a comparison decides nothing; the signal's reason when that comes before the comparison's end
   */
  async run(extent: 'whole' | 'changed' = 'whole', signal?: AbortSignal): Promise<Reconciliation> {
    await this.capacity.refresh();
    signal?.throwIfAborted();
    const begunAt = await this.store.now();
    const mark = extent === 'changed' ? await this.changed.mark() : null;
    const nextMark = await this.changed.nextMark();
    const keys = mark ? await this.changed.since(mark) : undefined;
    const known = await this.stakes.list();
    const { report, chain } = await this.audit.inspect({ keys, watched: known.pairs(), signal });
    const alarms = [...(await this.alarms.read()), ...(await this.activationAlarms.read())];
    const undecided = known.undecided(chain.findings, chain.atMost);
    const { seen, gone } = await this.keep([...report.findings, ...alarms], begunAt, undecided);
    const mended = report.ok ? new Map<string, string>() : await this.mendFindings.mend(signal);
    for (const [subject, action] of mended) await this.note(seen, subject, action);
    const paused = await this.wallets.pause(chain.findings);
    for (const { wallet, subject } of chain.findings) {
      if (paused.includes(wallet)) await this.note(seen, subject, `paused: ${wallet} takes no new orders`);
    }
    const resumed = await this.wallets.resume(gone);
    await this.stakes.shrink(known, chain.atMost);
    await this.changed.setMark(nextMark, mark === null);
    return { ...report, whole: mark === null, mended: mended.size, paused, resumed, alarms };
  }

  private async keep(
    findings: readonly Finding[],
    begunAt: string,
    undecided: Undecided,
  ): Promise<{ seen: ReadonlyMap<string, SeenFinding>; gone: readonly ResolvedFinding[] }> {
    const seen = new Map<string, SeenFinding>();
    for (const finding of findings) {
      const kept = await this.store.seen(finding);
      if (!kept) continue;
      seen.set(`${finding.kind} ${finding.subject}`, kept);
      if (kept.isNew) this.logger.error({ finding }, `Found: ${finding.kind}, ${finding.subject}: ${finding.reason}`);
    }
    return {
      seen,
      gone: await this.store.resolveOthers(
        [...seen.values()].map(({ id }) => id),
        begunAt,
        undecided,
      ),
    };
  }

  private async note(seen: ReadonlyMap<string, SeenFinding>, subject: string, action: string): Promise<void> {
    for (const [name, { id }] of seen) if (name.endsWith(` ${subject}`)) await this.store.acted(id, action);
  }
}
