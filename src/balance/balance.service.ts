import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../database/batch-loader';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';

export interface Balance {
  /** The sum of the ledger. */
  readonly balanceSun: bigint;
  /** Promised to orders that are not settled yet. */
  readonly heldSun: bigint;
  /** What can be spent. */
  readonly availableSun: bigint;
  /** What its user has set as a low balance; null: nothing. */
  readonly lowBalanceSun: bigint | null;
  /** The last change of what can be spent; UTC with microseconds. */
  readonly updatedAt: string;
}

type BalanceRow = Balance & { readonly key: string };

const READ_BALANCES = statement<[userIds: readonly string[]], BalanceRow>(
  'balance_read_many',
  `
    select user_id as key, balance_sun as "balanceSun", held_sun as "heldSun", balance_sun - held_sun as "availableSun",
           low_balance_sun as "lowBalanceSun",
           ${utcMicroseconds('updated_at')} as "updatedAt"
    from accounts where user_id = any($1::uuid[])`,
);

/** The table `accounts`, as far as it is read; movements and holds change it. */
@Injectable()
export class BalanceService {
  private readonly balances: BatchLoader<BalanceRow>;

  constructor(sql: Sql) {
    this.balances = new BatchLoader(sql, READ_BALANCES);
  }

  async getBalance(userId: string): Promise<Balance> {
    const row = await this.balances.find(userId);
    if (!row) throw new Error(`user ${userId} has no account`);
    const { key: _key, ...balance } = row;
    return balance;
  }
}
