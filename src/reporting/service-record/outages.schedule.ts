import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { BackgroundJob } from '../../common/background-job';
import { OrderOutlook } from '../outlooks/order-outlook';
import { CAUSES } from './outage-cause';
import { OutageRepository } from './outage.repository';

/** When an instance notes whether it takes orders. A pause by the switch is in the audit log. */
@Injectable()
export class OutagesSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly outlook: OrderOutlook,
    private readonly outages: OutageRepository,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { name: 'outages', waitForCompletion: true })
  async beat(): Promise<void> {
    await this.job.run('The record of outages', () => this.note());
  }

  async note(): Promise<void> {
    const { refusal } = await this.outlook.now();
    const cause = refusal && CAUSES[refusal.why];
    await this.outages.beat(cause === 'paused' ? null : cause);
  }
}
