import { Injectable, Logger } from '@nestjs/common';
import { BillingService } from '../billing/billing.service';
import { Sql } from '../database/sql';
import type { ActionCode } from '../findings/finding-reasons';
import { type FindingSubject, nameOfSubject } from '../findings/finding-subject';
import {
  ACCOUNTS_ADRIFT,
  HELD_AS_HOLDS_SAY,
  LOCK_ACCOUNT,
  TOKEN_DAYS_ADRIFT,
  UNSETTLED,
  type UnsettledOrder,
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
    for (const order of await this.sql.rows(UNSETTLED)) {
      if (signal?.aborted) break;
      if (!(await this.settle(order))) continue;
      const { id, releases } = order;
      this.logger.warn({ delegation: id }, `A hold was left behind; it was ${releases ? 'released' : 'taken'}`);
      repairs.push({ about: { type: 'delegation', id }, action: releases ? 'hold_released' : 'hold_taken' });
    }
    return repairs;
  }

  /** One that cannot be settled (a balance adrift) stays a finding and keeps no other from being settled. */
  private async settle({ id, releases }: UnsettledOrder): Promise<boolean> {
    try {
      return await this.sql.transaction((tx) => (releases ? this.billing.release(tx, id) : this.billing.take(tx, id)));
    } catch (error) {
      this.logger.error({ delegation: id, err: error }, 'A hold that was left behind could not be settled');
      return false;
    }
  }

  private async correctSums(signal?: AbortSignal): Promise<Repair[]> {
    const repairs: Repair[] = [];
    for (const { user_id: id } of await this.sql.rows(ACCOUNTS_ADRIFT)) {
      if (signal?.aborted) break;
      const corrected = await this.sql.transaction(async (tx) => {
        await tx.execute(LOCK_ACCOUNT, [id]);
        return tx.execute(HELD_AS_HOLDS_SAY, [id]);
      });
      if (corrected === 0) continue;
      this.logger.warn({ user: id }, 'The held amount of an account was not the sum of its holds; it is now');
      repairs.push({ about: { type: 'user', id }, action: 'held_corrected' });
    }
    return repairs;
  }

  private async correctTokenDays(signal?: AbortSignal): Promise<Repair[]> {
    const repairs: Repair[] = [];
    for (const { id, user_id: userId } of await this.sql.rows(TOKEN_DAYS_ADRIFT)) {
      if (signal?.aborted) break;
      const corrected = await this.sql.transaction(async (tx) => {
        await tx.execute(LOCK_ACCOUNT, [userId]);
        return tx.execute(USED_AS_HOLDS_SAY, [id]);
      });
      if (corrected === 0) continue;
      this.logger.warn({ tokenDay: id }, 'What a token had used on a day was not the sum of its holds; it is now');
      repairs.push({ about: { type: 'token_day', id }, action: 'token_used_corrected' });
    }
    return repairs;
  }
}
