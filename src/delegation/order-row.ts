import type { Answer, Payer } from './order.entity';
import type { OrderState } from '../common/order.states';

/** Named one by one: a statement that is planned already would fail if a new column changed what it gives. */
export const ORDER_COLUMNS = `d.id, d.user_id, d.receiver, d.transactions, d.energy, d.rental_minutes, d.activate, d.idempotency_key, d.state,
  d.wallet_id, d.stake_sun, d.cost_sun, d.paid_by, d.activates, d.answer, d.answer_code, d.reclaim_after_ms, d.reclaim_due_at, d.shortage_sun, d.epoch,
  d.claimed_until, d.attempts, d.stake_missing, d.last_error`;

/** A row of `delegations` as the hand-written SQL sees it. */
export interface OrderRow {
  readonly id: string;
  readonly user_id: string;
  readonly receiver: string;
  readonly transactions: string;
  readonly energy: bigint;
  readonly rental_minutes: number;
  readonly activate: boolean;
  readonly idempotency_key: string | null;
  readonly state: OrderState;
  readonly wallet_id: string;
  readonly stake_sun: bigint;
  readonly cost_sun: bigint;
  readonly paid_by: Payer;
  readonly activates: boolean;
  readonly answer: Answer;
  readonly answer_code: string | null;
  readonly reclaim_after_ms: bigint | null;
  readonly reclaim_due_at: Date | null;
  readonly shortage_sun: bigint;
  readonly epoch: number;
  readonly claimed_until: Date | null;
  readonly attempts: number;
  readonly stake_missing: boolean;
  readonly last_error: string | null;
}
