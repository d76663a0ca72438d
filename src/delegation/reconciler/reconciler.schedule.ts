import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BACKGROUND_WORK } from '../../common/background-work';
import { Sql, type Statement } from '../../database/sql';
import { Reconciler } from './reconciler';

/** By the database's clock, for all instances together: whoever asks first when it is due does it. The very first asking only starts the time. */
const CLAIM: Statement = {
  name: 'reconcile_claim',
  text: `insert into job_runs (name, ran_at) values ('reconcile', clock_timestamp())
         on conflict (name) do update set ran_at = excluded.ran_at
          where job_runs.ran_at < excluded.ran_at - $1 * interval '1 millisecond'
         returning xmax <> 0 as due`,
};

@Injectable()
export class ReconcilerSchedule implements OnApplicationShutdown {
  private readonly logger = new Logger(ReconcilerSchedule.name);
  private running: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sql: Sql,
    private readonly reconciler: Reconciler,
  ) {}

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'reconcile', waitForCompletion: true })
  async reconcile(): Promise<void> {
    if (!this.enabled || this.stopping) return;
    this.running = this.runWhenDue().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'Chain and database could not be compared; it is tried again'),
    );
    await this.running;
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async runWhenDue(): Promise<void> {
    const claimed = await this.sql.row<{ due: boolean }>(CLAIM, [this.configuration.reconcileMs]);
    if (claimed?.due) await this.reconciler.run('changed');
  }
}
