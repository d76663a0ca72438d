import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { BackgroundJob } from '../../common/background-job';
import { CloseOrderDays } from './close-order-days';

/** When days are closed: once a block was seen. Every instance does, and each day is closed once. */
@Injectable()
export class ReportsSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly closeOrderDays: CloseOrderDays,
    private readonly referenceBlocks: ReferenceBlocks,
  ) {}

  @Cron(CronExpression.EVERY_10_MINUTES, { name: 'close-order-days', waitForCompletion: true })
  async close(): Promise<void> {
    const timeMs = this.referenceBlocks.lastTimeMs();
    if (timeMs !== null) await this.job.run('The closing of days', () => this.closeOrderDays.run(timeMs));
  }
}
