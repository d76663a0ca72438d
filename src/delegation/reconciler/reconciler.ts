import { Injectable, Logger } from '@nestjs/common';
import type { Finding } from '../../billing/audit/audit-check';
import { Capacity } from '../../chain/pool/capacity';
import { Audit, type AuditReport } from '../audit/audit';
import { ChangedRows } from './changed-rows';
import { FindingStore, type ResolvedFinding, type SeenFinding } from './finding.store';
import { MendFindings } from './mend-findings';
import { PauseWallets } from './pause-wallets';
import { PoolAlarms } from './pool.alarms';

export interface Reconciliation extends AuditReport {
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
 * explained takes no more orders. Reclaims always go on. A wallet is paused when its finding is new: an operator who resumes it
 * has seen the finding, and is not overruled by the next run.
 */
@Injectable()
export class Reconciler {
  private readonly logger = new Logger(Reconciler.name);

  constructor(
    private readonly audit: Audit,
    private readonly changed: ChangedRows,
    private readonly capacity: Capacity,
    private readonly alarms: PoolAlarms,
    private readonly mendFindings: MendFindings,
    private readonly wallets: PauseWallets,
    private readonly store: FindingStore,
  ) {}

  /**
   * `changed`: the chain in full, and of the rows those that changed since the last run or have a finding; what is over
   * changes only by hand or by a restore, and everything is looked at once a day.
   * @throws NodeUnavailableError: half a comparison decides nothing
   */
  async run(extent: 'whole' | 'changed' = 'whole'): Promise<Reconciliation> {
    await this.capacity.refresh();
    const mark = extent === 'changed' ? await this.changed.mark() : null;
    const nextMark = await this.changed.nextMark();
    const keys = mark ? await this.changed.since(mark) : undefined;
    const { report, pairs } = await this.audit.inspect(keys);
    const alarms = await this.alarms.read();
    const { seen, gone } = await this.keep([...report.findings, ...alarms]);
    const mended = report.ok ? new Map<string, string>() : await this.mendFindings.mend();
    for (const [subject, action] of mended) await this.note(seen, subject, action);
    const unexplained = pairs.filter(({ kind, subject }) => seen.get(`${kind} ${subject}`)!.isNew);
    const paused = await this.wallets.pause(unexplained);
    for (const { wallet, subject } of unexplained) {
      if (paused.includes(wallet)) await this.note(seen, subject, `paused: ${wallet} takes no new orders`);
    }
    const resumed = await this.wallets.resume(gone);
    await this.changed.setMark(nextMark, mark === null);
    return { ...report, whole: mark === null, mended: mended.size, paused, resumed, alarms };
  }

  private async keep(
    findings: readonly Finding[],
  ): Promise<{ seen: ReadonlyMap<string, SeenFinding>; gone: readonly ResolvedFinding[] }> {
    const seen = new Map<string, SeenFinding>();
    for (const finding of findings) {
      const kept = await this.store.seen(finding);
      seen.set(`${finding.kind} ${finding.subject}`, kept);
      if (kept.isNew) this.logger.error({ finding }, `Found: ${finding.kind}, ${finding.subject}: ${finding.reason}`);
    }
    return { seen, gone: await this.store.resolveOthers([...seen.values()].map(({ id }) => id)) };
  }

  private async note(seen: ReadonlyMap<string, SeenFinding>, subject: string, action: string): Promise<void> {
    for (const [name, { id }] of seen) if (name.endsWith(` ${subject}`)) await this.store.acted(id, action);
  }
}
