import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BackgroundJob } from '../../common/background-job';
import { RefusedAttemptRepository } from './refused-attempt.repository';
import { RefusedAttempts } from './refused-attempts';

/** When refused attempts are written, and when they are forgotten. */
@Injectable()
export class RefusalsSchedule implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RefusalsSchedule.name);

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly job: BackgroundJob,
    private readonly attempts: RefusedAttempts,
    private readonly repository: RefusedAttemptRepository,
  ) {}

  @Cron('*/2 * * * * *', { name: 'refused-attempts', waitForCompletion: true })
  async write(): Promise<void> {
    await this.job.run('The writing of refused attempts', () => this.attempts.flush());
  }

  @Cron(CronExpression.EVERY_HOUR, { name: 'refused-attempts-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    const { retainRefusalsMs } = this.configuration.orders;
    if (retainRefusalsMs === null) return;
    await this.job.run('The removal of old refused attempts', () => this.repository.deleteOld(retainRefusalsMs));
  }

  /** What the last requests left. A database that is away keeps no process from its end. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.attempts.flush().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'The last refused attempts could not be written');
    });
  }
}
