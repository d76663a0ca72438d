import { Injectable, Logger } from '@nestjs/common';
import { BillingService } from '../billing/billing.service';
import { SHORT_LOCK_TIMEOUT } from '../database/short-lock-timeout';
import { Sql, type SqlTransaction } from '../database/sql';
import type { ActionCode } from '../common/finding-reasons';
import { type FindingSubject, nameOfSubject } from '../common/finding-subject';
import {
  ACCOUNTS_ADRIFT,
  HELD_AS_HOLDS_SAY,
  LOCK_ACCOUNT,
  TOKEN_DAYS_ADRIFT,
  UNSETTLED,
  USED_AS_HOLDS_SAY,
} from './repair.statements';

export interface Repair {
  readonly about: FindingSubject;
  readonly action: ActionCode;
}

/**
 * Repairs what can only have one right value: an order that has provably ended settles its hold as its answer says, by the same
 * conditional updates as ever; a sum is what adds up to it. Everything else is left to people.
 */
@Injectable()
export class RepairService {
  private readonly logger = new Logger(RepairService.name);

  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
  ) {}

  /** The last repair of each subject. What the end of the service leaves is done by the next run. */
  async repair(signal?: AbortSignal): Promise<Repair[]> {
    // Sums first: a hold can only be settled out of an account that holds it.
    const corrected = [...(await this.correctSums(signal)), ...(await this.correctTokenDays(signal))];
    const repairs = [...corrected, ...(await this.settleHolds(signal))];
    return [...new Map(repairs.map((repair) => [nameOfSubject(repair.about), repair])).values()];
  }

  private async settleHolds(signal?: AbortSignal): Promise<Repair[]> {
    const repairs: Repair[] = [];
    for (const { id, releases } of await this.sql.rows(UNSETTLED)) {
      if (signal?.aborted) break;
      const about = { type: 'delegation', id } as const;
      const settle = (tx: SqlTransaction) => (releases ? this.billing.release(tx, id) : this.billing.take(tx, id));
      if (!(await this.tryOne(about, settle))) continue;
      this.logger.warn({ delegation: id }, `A hold was left behind; it was ${releases ? 'released' : 'taken'}`);
      repairs.push({ about, action: releases ? 'hold_released' : 'hold_taken' });
    }
    return repairs;
  }

  private async correctSums(signal?: AbortSignal): Promise<Repair[]> {
    const repairs: Repair[] = [];
    for (const { user_id: id } of await this.sql.rows(ACCOUNTS_ADRIFT)) {
      if (signal?.aborted) break;
      const about = { type: 'user', id } as const;
      const correct = async (tx: SqlTransaction) => {
        await tx.execute(LOCK_ACCOUNT, [id]);
        return (await tx.execute(HELD_AS_HOLDS_SAY, [id])) > 0;
      };
      if (!(await this.tryOne(about, correct))) continue;
      this.logger.warn({ user: id }, 'The held amount of an account was not the sum of its holds; it is now');
      repairs.push({ about, action: 'held_corrected' });
    }
    return repairs;
  }

  private async correctTokenDays(signal?: AbortSignal): Promise<Repair[]> {
    const repairs: Repair[] = [];
    for (const { id, user_id: userId } of await this.sql.rows(TOKEN_DAYS_ADRIFT)) {
      if (signal?.aborted) break;
      const about = { type: 'token_day', id } as const;
      const correct = async (tx: SqlTransaction) => {
        await tx.execute(LOCK_ACCOUNT, [userId]);
        return (await tx.execute(USED_AS_HOLDS_SAY, [id])) > 0;
      };
      if (!(await this.tryOne(about, correct))) continue;
      this.logger.warn({ tokenDay: id }, 'What a token had used on a day was not the sum of its holds; it is now');
      repairs.push({ about, action: 'token_used_corrected' });
    }
    return repairs;
  }

  /** One that fails (its account is locked, a balance adrift) stays a finding and keeps no other from being repaired. */
  private async tryOne(about: FindingSubject, repair: (tx: SqlTransaction) => Promise<boolean>): Promise<boolean> {
    try {
      return await this.sql.transaction(async (tx) => {
        await tx.execute(SHORT_LOCK_TIMEOUT);
        return repair(tx);
      });
    } catch (error) {
      this.logger.error({ err: error }, `${nameOfSubject(about)} could not be repaired; the next run tries again`);
      return false;
    }
  }
}
