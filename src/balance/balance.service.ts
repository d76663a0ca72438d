import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../database/batch-loader';
import { Sql } from '../database/sql';
import { READ_BALANCES } from './account.statements';

export interface Balance {
  /** The sum of the ledger. */
  balanceSun: bigint;
  /** Promised to orders that are not settled yet. */
  heldSun: bigint;
  /** What can be spent. */
  availableSun: bigint;
  /** The last change of what can be spent; UTC with microseconds. */
  updatedAt: string;
}

interface BalanceRow {
  key: string;
  balance_sun: bigint;
  held_sun: bigint;
  available_sun: bigint;
  updated_at: string;
}

@Injectable()
export class BalanceService {
  private readonly balances: BatchLoader<BalanceRow>;

  constructor(sql: Sql) {
    this.balances = new BatchLoader(sql, READ_BALANCES);
  }

  async getBalance(userId: string): Promise<Balance> {
    const row = await this.balances.find(userId);
    if (!row) throw new Error(`user ${userId} has no account`);
    return {
      balanceSun: row.balance_sun,
      heldSun: row.held_sun,
      availableSun: row.available_sun,
      updatedAt: row.updated_at,
    };
  }
}
