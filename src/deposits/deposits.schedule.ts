import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { BackgroundJob } from '../common/background-job';
import { UnexplainedHoldings } from './unexplained-holdings';

const TURN_MS = 45_000;

@Injectable()
export class DepositsSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly holdings: UnexplainedHoldings,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { name: 'deposit-holdings', waitForCompletion: true })
  async readHoldings(): Promise<void> {
    await this.job.run('Reading what deposit addresses hold', () => this.holdings.runInTurn(TURN_MS));
  }
}
