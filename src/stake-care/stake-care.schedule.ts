import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { BackgroundJob } from '../common/background-job';
import { CareTurns } from './care-turns';
import { CarryOut } from './carry-out';
import { StakeCare } from './stake-care';

/** One instance at a time begins a run. */
const TURN_MS = 15_000;

@Injectable()
export class StakeCareSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly turns: CareTurns,
    private readonly references: ReferenceBlocks,
    private readonly carryOut: CarryOut,
    private readonly care: StakeCare,
  ) {}

  /** What commands have planned and could not sign is claimed by row: any instance does it. */
  @Cron(CronExpression.EVERY_5_SECONDS, { name: 'stake-operations', waitForCompletion: true })
  async goOn(): Promise<void> {
    await this.job.run('The operations on stake', () => this.carryOut.goOn());
  }

  @Cron(CronExpression.EVERY_5_SECONDS, { name: 'stake-care', waitForCompletion: true })
  async run(): Promise<void> {
    await this.job.run('The care of stakes', () => this.runInTurn());
  }

  private async runInTurn(): Promise<void> {
    if (!this.seesChain() || !(await this.turns.claim(TURN_MS))) return;
    await this.care.run();
  }

  /** Another instance may have a way to the nodes. */
  private seesChain(): boolean {
    return this.references.lastHead() !== null && this.references.problem() === null;
  }
}
