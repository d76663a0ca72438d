import { Inject, Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { BackgroundJob } from '../common/background-job';
import { Shutdown } from '../common/shutdown';
import { JobRunRepository } from './job-run.repository';
import { ReconcileMarkRepository } from './reconcile-mark.repository';
import { Reconciler } from './reconciler';

/** Until a run that has failed is due again, on whichever instance. */
const AGAIN_MS = 60_000;

@Injectable()
export class ReconcilerSchedule {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly job: BackgroundJob,
    private readonly runs: JobRunRepository,
    private readonly marks: ReconcileMarkRepository,
    private readonly reconciler: Reconciler,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly shutdown: Shutdown,
  ) {}

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'reconcile', waitForCompletion: true })
  async reconcile(): Promise<void> {
    await this.job.run('The reconciliation', () => this.runWhenDue());
  }

  /** While the other runs: with millions of rows it takes minutes, in which wallets are compared and paused as ever. */
  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'reconcile-whole', waitForCompletion: true })
  async reconcileWhole(): Promise<void> {
    await this.job.run('The look at every row', () => this.runWholeWhenDue());
  }

  private async runWhenDue(): Promise<void> {
    const { reconcileMs } = this.configuration;
    if (!this.seesChain()) return;
    const claim = await this.runs.claim(reconcileMs);
    if (claim === null) return;
    const { signal } = this.shutdown;
    try {
      await this.reconciler.run('changed', signal);
    } catch (error) {
      // Interrupted before everything was compared, or failed.
      await this.runs.giveBack(reconcileMs, claim, signal.aborted ? 0 : Math.min(AGAIN_MS, reconcileMs));
      if (!signal.aborted) throw error;
    }
  }

  private async runWholeWhenDue(): Promise<void> {
    if (!this.seesChain() || !(await this.marks.isWholeDue())) return;
    const claim = await this.runs.claimWhole();
    if (claim === null) return;
    const { signal } = this.shutdown;
    try {
      // Another instance may have ended one between the question and the claim.
      if (await this.marks.isWholeDue()) await this.reconciler.run('whole', signal, () => claim.renew());
      await claim.end(0);
    } catch (error) {
      await claim.end(signal.aborted ? 0 : AGAIN_MS);
      if (!signal.aborted) throw error;
    }
  }

  /** Without one a run would fail, and another instance may have a way to the nodes. */
  private seesChain(): boolean {
    return this.referenceBlocks.lastHead() !== null && this.referenceBlocks.problem() === null;
  }
}
