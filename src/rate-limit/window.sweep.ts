import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { BackgroundJob } from '../common/background-job';
import { RateLimitWindowRepository } from './rate-limit-window.repository';

/** Keeps the table of shared windows as small as what is open. */
@Injectable()
export class WindowSweep {
  constructor(
    private readonly windows: RateLimitWindowRepository,
    private readonly job: BackgroundJob,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { name: 'rate-limit-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.job.run('The removal of old rate limit windows', () => this.windows.deleteEnded());
  }
}
