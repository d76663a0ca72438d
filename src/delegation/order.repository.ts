import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '../common/errors/error-codes';
import { BatchLoader } from '../database/batch-loader';
import { Sql, type SqlTransaction } from '../database/sql';
import type { OrderClaim } from './order-claim';
import type { OrderRow, InsertedOrder } from './order.entity';
import {
  ABANDONED_ACTIVATING,
  ANSWER_FAILURE,
  ANSWER_SUCCESSES,
  CHANGE_STATES,
  FIND,
  FIND_BY_KEY,
  FIND_WITH_CLAIM,
  INSERT_ORDERS,
  LOCK_ALL,
  LOCK_FREE,
  LOCK_UNANSWERED,
  LOWER_COST,
  MARK_SENT,
  SETTLED_IN_BLOCK,
  SIGNED_AFTER_ACTIVATION,
  TAKE_OVER,
  TAKEN_BACK,
  USED_KEYS,
  type AnsweredRow,
} from './order.statements';
import { statesBefore, type OrderState } from '../common/order.states';

export interface NewOrderRow extends InsertedOrder {
  readonly claim_ms: number;
  /** Detail of the first event in its history. */
  readonly detail: Record<string, unknown>;
}

export interface StateChange {
  readonly id: string;
  /** Detail of the event in its history. */
  readonly detail: Record<string, unknown>;
}

export interface SuccessToCommit {
  readonly claim: OrderClaim;
  readonly code: 'included' | 'accepted';
}

/** What a block has settled: an order's delegation, or its reclaim. */
export interface Settlement {
  readonly id: string;
  readonly state: OrderState;
  readonly blockMs: number;
  readonly detail: Record<string, unknown>;
}

/** What blocks have shown of an order meanwhile is newer than that it was sent. */
const BEFORE_SENT = statesBefore('sent').filter((state) => state === 'pending');

/** The table `delegations`. Every change of a state is conditional on the one before. What blocks show is noted in the order's history too. */
@Injectable()
export class OrderRepository {
  private readonly usedKeys: BatchLoader<{ key: string }>;

  constructor(private readonly sql: Sql) {
    this.usedKeys = new BatchLoader(sql, USED_KEYS);
  }

  find(id: string): Promise<OrderRow | null> {
    return this.sql.row(FIND, [id]);
  }

  async findByKey(userId: string, idempotencyKey: string | null): Promise<OrderRow | null> {
    return idempotencyKey === null ? null : this.sql.row(FIND_BY_KEY, [userId, idempotencyKey]);
  }

  async isKeyUsed(userId: string, idempotencyKey: string): Promise<boolean> {
    return (await this.usedKeys.find(`${userId} ${idempotencyKey}`)) !== null;
  }

  /** `lapsed`: no instance works on it any more. */
  findWithClaim(id: string): Promise<(OrderRow & { readonly lapsed: boolean }) | null> {
    return this.sql.row(FIND_WITH_CLAIM, [id]);
  }

  /** Those of them whose cost is held. */
  async insertHeld(tx: SqlTransaction, orders: readonly NewOrderRow[]): Promise<void> {
    await tx.execute(INSERT_ORDERS, [JSON.stringify(orders), orders.map(({ id }) => id)]);
  }

  lockAll(tx: SqlTransaction, ids: readonly string[]): Promise<OrderRow[]> {
    return tx.rows(LOCK_ALL, [ids]);
  }

  /** The ids of those that no other transaction has locked. */
  async lockFree(tx: SqlTransaction, ids: readonly string[]): Promise<Set<string>> {
    return new Set((await tx.rows(LOCK_FREE, [ids])).map(({ id }) => id));
  }

  /** Those that are in one of the states `before`; gives their ids. */
  async changeStates(
    tx: SqlTransaction,
    changes: readonly StateChange[],
    state: OrderState,
    before: readonly OrderState[] = statesBefore(state),
  ): Promise<string[]> {
    const ids = changes.map(({ id }) => id);
    return (await tx.rows(CHANGE_STATES, [JSON.stringify(changes), ids, before, state])).map(({ id }) => id);
  }

  async markSent(tx: SqlTransaction, id: string): Promise<void> {
    await tx.execute(MARK_SENT, [id, BEFORE_SENT]);
  }

  /** False when the claim has ended. A new lease of `leaseMs` begins. */
  async markSigned(tx: SqlTransaction, { id, epoch }: OrderClaim, leaseMs: number): Promise<boolean> {
    return (await tx.execute(SIGNED_AFTER_ACTIVATION, [id, statesBefore('pending'), epoch, leaseMs])) === 1;
  }

  /** False when it has an answer, or the claim has ended. */
  async lockUnanswered(tx: SqlTransaction, { id, epoch }: OrderClaim): Promise<boolean> {
    return (await tx.row(LOCK_UNANSWERED, [id, epoch])) !== null;
  }

  /** For a locked order without an answer. */
  async lowerCost(tx: SqlTransaction, id: string, bySun: bigint): Promise<void> {
    await tx.execute(LOWER_COST, [id, bySun]);
  }

  /** Those that had no answer, of claims that have not ended. An answer may come before the note that the order was sent. */
  answerSuccesses(tx: SqlTransaction, successes: readonly SuccessToCommit[]): Promise<AnsweredRow[]> {
    const answers = successes.map(({ claim, code }) => ({ ...claim, code }));
    return tx.rows(ANSWER_SUCCESSES, [JSON.stringify(answers), answers.map(({ id }) => id), BEFORE_SENT]);
  }

  /** The state it was answered in; null when it has an answer, was charged, or the claim has ended. */
  async answerFailure(
    tx: SqlTransaction,
    { id, epoch }: OrderClaim,
    code: ErrorCode,
    reason: string,
    refusal: string | null,
  ): Promise<OrderState | null> {
    return (await tx.row(ANSWER_FAILURE, [id, epoch, code, reason, refusal]))?.before ?? null;
  }

  /** Null unless its claim has run out without an answer. */
  takeOver(id: string, leaseMs: number): Promise<OrderRow | null> {
    return this.sql.row(TAKE_OVER, [id, leaseMs]);
  }

  /** Locked: one whose instance ended before it signed the delegation. */
  lockAbandoned(tx: SqlTransaction, except: readonly string[]): Promise<OrderRow | null> {
    return tx.row(ABANDONED_ACTIVATING, [except]);
  }

  /** False when it was settled before. `dueMs`: when its stake is to be taken back. */
  async settleDelegation(
    tx: SqlTransaction,
    { id, state, blockMs, detail }: Settlement,
    block: bigint | null,
    dueMs: number,
  ): Promise<boolean> {
    const values = [id, statesBefore(state), state, block, blockMs, dueMs, JSON.stringify(detail)] as const;
    return (await tx.execute(SETTLED_IN_BLOCK, [...values])) === 1;
  }

  /** False when it was settled before. */
  async settleReclaim(tx: SqlTransaction, { id, state, blockMs, detail }: Settlement): Promise<boolean> {
    return (await tx.execute(TAKEN_BACK, [id, statesBefore(state), state, blockMs, JSON.stringify(detail)])) === 1;
  }
}
