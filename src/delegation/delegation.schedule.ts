import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BACKGROUND_WORK } from '../common/background-work';
import { Clock } from '../common/clock';
import { Shutdown } from '../common/shutdown';
import { AbandonedOrders } from './placing/abandoned-orders';
import { ReclaimSweeper } from './reclaim/reclaim.sweeper';

/** When the delegation module works by itself. Every instance does; claims on rows keep them apart. */
@Injectable()
export class DelegationJobs implements OnApplicationShutdown {
  private readonly logger = new Logger(DelegationJobs.name);
  private readonly running = new Set<Promise<void>>();
  private lastSweepMs = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly clock: Clock,
    private readonly sweeper: ReclaimSweeper,
    private readonly abandonedOrders: AbandonedOrders,
    private readonly shutdown: Shutdown,
  ) {}

  /** The cron asks every second; the setting says how often that counts. */
  @Cron(CronExpression.EVERY_SECOND, { name: 'reclaim-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    const now = this.clock.monotonicMs();
    if (now - this.lastSweepMs < this.configuration.reclaim.sweepMs) return;
    this.lastSweepMs = now;
    await this.run('The reclaim sweep', () => this.sweeper.sweep());
  }

  @Cron(CronExpression.EVERY_5_SECONDS, { name: 'recover-orders', waitForCompletion: true })
  async recover(): Promise<void> {
    await this.run('The recovery of orders', () => this.abandonedOrders.recover());
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }

  private async run(what: string, work: () => Promise<unknown>): Promise<void> {
    if (!this.enabled || this.shutdown.signal.aborted) return;
    const done = work().then(
      () => undefined,
      (error: unknown) => {
        if (!this.shutdown.signal.aborted) this.logger.warn({ err: error }, `${what} could not run; it runs again`);
      },
    );
    this.running.add(done);
    await done.finally(() => this.running.delete(done));
  }
}
