import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { BackgroundJob } from '../../common/background-job';
import { ReadBurnedFees } from './read-burned-fees';

/** When burned fees are read: every minute, by one instance at a time. */
@Injectable()
export class BurnedBandwidthSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly fees: ReadBurnedFees,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { name: 'burned-bandwidth', waitForCompletion: true })
  async read(): Promise<void> {
    await this.job.run('The reading of burned fees', () => this.fees.run());
  }
}
