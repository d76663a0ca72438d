import { Inject, Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BackgroundJob } from '../common/background-job';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';

const SWEEP = statement(
  'rate-limit-sweep',
  `delete from rate_limit_windows where ends_at < clock_timestamp() - interval '1 minute'`,
);

/** Keeps the table of shared windows as small as what is open. */
@Injectable()
export class WindowSweep {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly job: BackgroundJob,
    private readonly sql: Sql,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { name: 'rate-limit-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    if (this.configuration.rateLimit.store !== 'postgres') return;
    await this.job.run('The removal of old rate limit windows', () => this.sql.execute(SWEEP));
  }
}
