import { Inject, Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { ReferenceBlocks } from '../chain/reference-blocks';
import { BackgroundJob } from '../common/background-job';
import { Shutdown } from '../common/shutdown';
import { JobRunRepository } from './job-run.repository';
import { Reconciler } from './reconciler';

/** Until a run that has failed is due again, on whichever instance. */
const AGAIN_MS = 60_000;

@Injectable()
export class ReconcilerSchedule {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly job: BackgroundJob,
    private readonly runs: JobRunRepository,
    private readonly reconciler: Reconciler,
    private readonly references: ReferenceBlocks,
    private readonly shutdown: Shutdown,
  ) {}

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'reconcile', waitForCompletion: true })
  async reconcile(): Promise<void> {
    await this.job.run('The reconciliation', () => this.runWhenDue());
  }

  private async runWhenDue(): Promise<void> {
    const { reconcileMs } = this.configuration;
    // It would fail, and another instance may have a way to the nodes.
    if (!this.references.lastHead() || this.references.problem() !== null) return;
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
}
