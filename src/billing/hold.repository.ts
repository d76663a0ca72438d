import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction, type Statement } from '../database/sql';
import {
  AWAIT_ACCOUNT,
  type CostRow,
  HOLD,
  type HoldParams,
  type HoldRow,
  JUDGE_COST,
  LOCK_HOLD,
  LOCK_TO_SETTLE,
  LOWER,
  READ_MAX_COST,
  READ_UNIT_PRICE,
  RELEASE,
  TAKE,
} from './hold.statements';

/** What an order would be paid with: null, more than any balance has. */
export interface Costs {
  readonly fromBalanceSun: bigint | null;
  readonly fromQuotaSun: bigint;
}

/** An order as the statements of `holdText` take it: whole numbers as text, for JSON has no bigint. */
export interface HoldRequest {
  readonly delegation_id: string;
  readonly user_id: string;
  readonly energy: string;
  readonly from_balance_sun: string | undefined;
  readonly from_quota_sun: string;
  readonly token_id: string | null;
  readonly max_cost_sun: string | undefined;
  /** Fits a number, which JSON has. */
  readonly time_ms: number;
}

/** What an order may cost, and by whose word. */
export interface CostLimits {
  /** The token that the order came with. */
  readonly tokenId: string | null;
  /** The order's own limit. */
  readonly maxCostSun: bigint | null;
}

export type HoldStatement = Statement<HoldParams, HoldRow>;

/** The table `holds`, and what a hold changes of accounts and subscriptions. */
@Injectable()
export class HoldRepository {
  constructor(private readonly sql: Sql) {}

  async findUnitPriceSun(userId: string): Promise<bigint | null> {
    return (await this.sql.row(READ_UNIT_PRICE, [userId]))?.unit_price_sun ?? null;
  }

  /** By `HOLD`, or by a statement that asks for more than the payment. */
  hold(
    tx: SqlTransaction,
    orders: readonly HoldRequest[],
    statement: HoldStatement = HOLD,
    parts: readonly string[] = [],
  ): Promise<HoldRow[]> {
    return tx.rows(statement, [JSON.stringify(orders), ...parts]);
  }

  /** What `hold` would find, without a lock; null without an account. `energy` null: more than any quota has; `timeMs` null: no quota counts. */
  judgeCost(
    userId: string,
    energy: bigint | null,
    { fromBalanceSun, fromQuotaSun }: Costs,
    { tokenId, maxCostSun }: CostLimits,
    timeMs: number | null,
  ): Promise<CostRow | null> {
    return this.sql.row(JUDGE_COST, [userId, energy, fromBalanceSun, fromQuotaSun, tokenId, maxCostSun, timeMs]);
  }

  /** The `max_cost` that an order was held with. */
  async findMaxCostSun(orderId: string): Promise<bigint | null> {
    return (await this.sql.row(READ_MAX_COST, [orderId]))?.max_cost_sun ?? null;
  }

  /** First in its transaction. */
  async awaitAccount(tx: SqlTransaction, userId: string): Promise<void> {
    await tx.execute(AWAIT_ACCOUNT, [userId]);
  }

  /** The orders of these whose hold, account or subscription another transaction has locked. */
  async lockToSettle(tx: SqlTransaction, orderIds: readonly string[]): Promise<Set<string>> {
    return new Set((await tx.rows(LOCK_TO_SETTLE, [orderIds])).map(({ delegation_id: id }) => id));
  }

  /** With its account. False when it is settled. */
  async lock(tx: SqlTransaction, orderId: string): Promise<boolean> {
    return (await tx.row(LOCK_HOLD, [orderId])) !== null;
  }

  async lower(tx: SqlTransaction, orderId: string, bySun: bigint): Promise<void> {
    await tx.execute(LOWER, [orderId, bySun]);
  }

  async take(tx: SqlTransaction, orderId: string): Promise<boolean> {
    return (await tx.rows(TAKE, [orderId])).length === 1;
  }

  async release(tx: SqlTransaction, orderId: string): Promise<boolean> {
    return (await tx.rows(RELEASE, [orderId])).length === 1;
  }
}
