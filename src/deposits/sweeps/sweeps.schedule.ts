import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { BackgroundJob } from '../../common/background-job';
import { ExpireSweeps } from './expire-sweeps';
import { JudgeSweeps } from './judge-sweeps';
import { SendSweeps } from './send-sweeps';
import { SweepEnergy } from './sweep-energy';

@Injectable()
export class SweepsSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly references: ReferenceBlocks,
    private readonly expire: ExpireSweeps,
    private readonly sending: SendSweeps,
    private readonly judging: JudgeSweeps,
    private readonly energy: SweepEnergy,
  ) {}

  /** Rows are claimed: any instance does it. */
  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'deposit-sweeps', waitForCompletion: true })
  async run(): Promise<void> {
    await this.job.run('The sweeps of deposits', () => this.runNow());
  }

  private async runNow(): Promise<void> {
    if (this.references.lastHead() === null || this.references.problem() !== null) return;
    await this.expire.run();
    await this.judging.run();
    await this.energy.end();
    await this.sending.run();
  }
}
