import { Injectable, Logger } from '@nestjs/common';
import { LedgerService } from '../balance/ledger.service';
import { BackgroundJob } from '../common/background-job';
import { DomainError } from '../common/errors/domain.error';
import { Sql, type SqlTransaction } from '../database/sql';
import { DepositEvents } from './deposit-events';
import { formatAmount } from './deposit-view';
import { CLAIM_DUE, CREDITED, type DueDeposit, WAIT } from './deposit.statements';

/** What it is called in the ledger, for ever. */
export const referenceOf = ({ txid, index }: Pick<DueDeposit, 'txid' | 'index'>) => `${txid}:${index}`;

/** Books what final blocks have brought, each deposit in one transaction with its state and its event. */
@Injectable()
export class CreditDeposits {
  private readonly logger = new Logger(CreditDeposits.name);
  private running: Promise<void> | null = null;

  constructor(
    private readonly sql: Sql,
    private readonly ledger: LedgerService,
    private readonly events: DepositEvents,
    private readonly job: BackgroundJob,
  ) {}

  /** Returns before any is booked. What comes meanwhile is booked with the next turn. */
  begin(): void {
    this.running ??= this.job.run('The credit of deposits', () => this.run()).finally(() => (this.running = null));
  }

  /** Every one that is due, by whichever instance is first. One that fails delays no other. */
  async run(): Promise<void> {
    const failed: string[] = [];
    for (;;) {
      let due: DueDeposit | null = null;
      try {
        const isDone = await this.sql.transaction(async (tx) => {
          due = await tx.row(CLAIM_DUE, [failed]);
          if (due) await this.credit(due, tx);
          return due === null;
        });
        if (isDone) return;
      } catch (error) {
        const left = due as DueDeposit | null;
        if (!left) throw error;
        failed.push(left.id);
        await this.refused(left, error);
      }
    }
  }

  private async credit(due: DueDeposit, tx: SqlTransaction): Promise<void> {
    const { id, user_id: userId, credit_sun: amountSun } = due;
    await this.ledger.move('deposit', { userId, amountSun, note: formatAmount(due), reference: referenceOf(due) }, tx);
    if ((await tx.execute(CREDITED, [id])) !== 1) throw new Error(`deposit ${id} was not due`);
    await this.events.write(tx, 'deposit.credited', [id]);
  }

  /** The ledger has refused it for good: an operator has used its reference or its txid, or the balance would be too large. */
  private async refused({ id }: DueDeposit, error: unknown): Promise<void> {
    if (!(error instanceof DomainError)) {
      this.logger.error({ err: error }, `Deposit ${id} was not credited; it is tried again`);
      return;
    }
    await this.sql.transaction(async (tx) => {
      if ((await tx.execute(WAIT, [id, 'operator', error.message])) > 0)
        await this.events.write(tx, 'deposit.waiting', [id]);
    });
  }
}
