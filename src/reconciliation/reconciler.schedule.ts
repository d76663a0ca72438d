import { Inject, Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BackgroundJob } from '../common/background-job';
import { Shutdown } from '../common/shutdown';
import { JobRunRepository } from './job-run.repository';
import { Reconciler } from './reconciler';

@Injectable()
export class ReconcilerSchedule {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly job: BackgroundJob,
    private readonly runs: JobRunRepository,
    private readonly reconciler: Reconciler,
    private readonly shutdown: Shutdown,
  ) {}

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'reconcile', waitForCompletion: true })
  async reconcile(): Promise<void> {
    await this.job.run('The reconciliation', () => this.runWhenDue());
  }

  private async runWhenDue(): Promise<void> {
    const { reconcileMs } = this.configuration;
    if (!(await this.runs.claim(reconcileMs))) return;
    const { signal } = this.shutdown;
    try {
      await this.reconciler.run('changed', signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      // Interrupted before everything was compared.
      await this.runs.giveBack(reconcileMs);
    }
  }
}
