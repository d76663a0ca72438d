import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { hostname } from 'node:os';
import { v7 as newId } from 'uuid';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BackgroundJob } from '../../common/background-job';
import { RequestOrigins } from '../../common/http/request-origins';
import { SecretCipher } from '../../common/secret-cipher';
import { inEnglish } from '../../findings/finding-text';
import { FindingRepository } from '../../findings/finding.repository';
import { InstanceTermsRepository } from './instance-terms.repository';
import { TermsAlarms } from './terms.alarms';
import { type InstanceSetup, termsOf } from './terms';

/** Says what this instance sells by while it runs, and notices others that sell by something else. */
@Injectable()
export class TermsSchedule implements OnApplicationShutdown {
  private readonly logger = new Logger('Settings');
  private readonly id = newId();
  private readonly host = `${hostname()}/${process.pid}`;
  private hasBegun = false;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly job: BackgroundJob,
    private readonly instances: InstanceTermsRepository,
    private readonly alarms: TermsAlarms,
    private readonly origins: RequestOrigins,
    private readonly findings: FindingRepository,
  ) {}

  /** For a process that serves, before its first order. */
  async begin(): Promise<void> {
    this.hasBegun = true;
    await this.keep(true);
  }

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'terms', waitForCompletion: true })
  async run(): Promise<void> {
    if (this.hasBegun) await this.job.run('Keeping the terms of this instance', () => this.keep(false));
  }

  /** Best effort: it is forgotten in half a minute. */
  async onApplicationShutdown(): Promise<void> {
    if (!this.hasBegun) return;
    this.hasBegun = false;
    await this.instances.ended(this.id).catch(() => undefined);
  }

  private async keep(isStart: boolean): Promise<void> {
    await this.instances.seen(this.id, this.host, termsOf(this.configuration), this.setup());
    for (const found of await this.alarms.read()) {
      const seen = await this.findings.seen(found);
      if (isStart || seen?.isNew) this.logger.warn({ finding: inEnglish(found) }, inEnglish(found).reason);
    }
  }

  private setup(): InstanceSetup {
    const { publicUrl } = this.configuration.http;
    const { other } = this.origins;
    return {
      secret_keys: new SecretCipher(this.configuration).keyIds,
      ...(publicUrl !== undefined && { public_url: publicUrl }),
      ...(other !== null && { came_as: other }),
    };
  }
}
