import { Inject, Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BackgroundJob } from '../common/background-job';
import { Clock } from '../common/clock';
import { AbandonedOrders } from './placing/abandoned-orders';
import { ReclaimSweeper } from './reclaim/reclaim.sweeper';

/** When the delegation module works by itself. Every instance does; claims on rows keep them apart. */
@Injectable()
export class DelegationSchedule {
  private lastSweepMs = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly job: BackgroundJob,
    private readonly clock: Clock,
    private readonly sweeper: ReclaimSweeper,
    private readonly abandonedOrders: AbandonedOrders,
  ) {}

  /** The cron asks every second; the setting says how often that counts. */
  @Cron(CronExpression.EVERY_SECOND, { name: 'reclaim-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    const now = this.clock.monotonicMs();
    if (now - this.lastSweepMs < this.configuration.reclaim.sweepMs) return;
    this.lastSweepMs = now;
    await this.job.run('The reclaim sweep', () => this.sweeper.sweep());
  }

  @Cron(CronExpression.EVERY_5_SECONDS, { name: 'recover-orders', waitForCompletion: true })
  async recover(): Promise<void> {
    await this.job.run('The recovery of abandoned orders', () => this.abandonedOrders.recover());
  }
}
