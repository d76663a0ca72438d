import { Inject, Injectable, Logger } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BACKGROUND_WORK } from '../common/background-work';
import { RateLimitWindowRepository } from './rate-limit-window.repository';

/** Keeps the table of shared windows as small as what is open. */
@Injectable()
export class WindowSweep {
  private readonly logger = new Logger(WindowSweep.name);

  constructor(
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly windows: RateLimitWindowRepository,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { name: 'rate-limit-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    if (!this.enabled || this.configuration.rateLimit.store !== 'postgres') return;
    await this.windows
      .deleteEnded()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'Old windows were not removed'));
  }
}
