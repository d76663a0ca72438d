import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { BackgroundJob } from '../../../common/background-job';
import { KeyPower } from './key-power';

@Injectable()
export class KeyPowerSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly power: KeyPower,
  ) {}

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'key-power', waitForCompletion: true })
  async watch(): Promise<void> {
    await this.job.run('The look at what keys may do', () => this.power.watch());
  }
}
