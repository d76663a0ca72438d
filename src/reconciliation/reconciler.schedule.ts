import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BACKGROUND_WORK } from '../common/background-work';
import { Shutdown } from '../common/shutdown';
import { Sql, type Statement } from '../database/sql';
import { Reconciler } from './reconciler';

/**
 * By the database's clock, for all instances together: the one that asks first when it is due does it. The very first asking only
 * starts the time. A run in the future was noted while that clock was ahead: it puts off no other; within a minute it is another
 * instance's of this moment, noted while this one waited for the row.
 */
const CLAIM: Statement = {
  name: 'reconcile_claim',
  text: `insert into job_runs (name, ran_at) values ('reconcile', clock_timestamp())
         on conflict (name) do update set ran_at = excluded.ran_at
          where job_runs.ran_at < excluded.ran_at - $1 * interval '1 millisecond'
             or job_runs.ran_at > excluded.ran_at + interval '1 minute'
         returning xmax <> 0 as due`,
};

/** Stopped before it had compared everything: due again, for whichever instance asks first. */
const GIVE_BACK: Statement = {
  name: 'reconcile_give_back',
  text: `update job_runs set ran_at = ran_at - $1 * interval '1 millisecond' where name = 'reconcile'`,
};

@Injectable()
export class ReconcilerSchedule implements OnApplicationShutdown {
  private readonly logger = new Logger(ReconcilerSchedule.name);
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sql: Sql,
    private readonly reconciler: Reconciler,
    private readonly shutdown: Shutdown,
  ) {}

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'reconcile', waitForCompletion: true })
  async reconcile(): Promise<void> {
    if (!this.enabled || this.shutdown.signal.aborted) return;
    this.running = this.runWhenDue().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'Chain and database could not be compared; it is tried again'),
    );
    await this.running;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.running;
  }

  private async runWhenDue(): Promise<void> {
    const claimed = await this.sql.row<{ due: boolean }>(CLAIM, [this.configuration.reconcileMs]);
    if (!claimed?.due) return;
    const { signal } = this.shutdown;
    try {
      await this.reconciler.run('changed', signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      await this.sql.execute(GIVE_BACK, [this.configuration.reconcileMs]);
    }
  }
}
