import { Injectable, Logger } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { BackgroundJob } from '../../common/background-job';
import { inEnglish } from '../../findings/finding-text';
import { FindingRepository } from '../../findings/finding.repository';
import { ChainAlarms } from './chain.alarms';
import { SignerAlarms } from './signer.alarms';

/**
 * Keeps what is wrong with the chain or with the signer as findings, without a comparison of everything: that needs a chain to be
 * believed. The next comparison resolves what is gone.
 */
@Injectable()
export class ChainAlarmsSchedule {
  private readonly logger = new Logger(ChainAlarmsSchedule.name);

  constructor(
    private readonly job: BackgroundJob,
    private readonly chain: ChainAlarms,
    private readonly signer: SignerAlarms,
    private readonly findings: FindingRepository,
  ) {}

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'chain-alarms', waitForCompletion: true })
  async keep(): Promise<void> {
    await this.job.run('Keeping what is wrong with the chain or the signer', () => this.keepAll());
  }

  private async keepAll(): Promise<void> {
    for (const found of [...(await this.chain.read()), ...(await this.signer.read())]) {
      const seen = await this.findings.seen(found);
      if (seen?.isNew) this.logger.error({ finding: inEnglish(found) }, `Found: ${inEnglish(found).reason}`);
    }
  }
}
