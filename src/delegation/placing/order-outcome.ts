import type { Sent } from '../../chain/transactions/outbox/outbox';
import type { TransactionState } from '../../chain/transactions/outbox/chain-transaction.entity';
import type { ErrorCode } from '../../common/errors/error-codes';

/** `refusal`: what a node refused the order for; it stays on the order. */
export interface OrderFailure {
  readonly kind: 'failed';
  readonly code: ErrorCode;
  readonly reason: string;
  readonly refusal: string | null;
}

/** What an order is to be answered with. `sent`: what the nodes said, to be committed with the answer. */
export type OrderOutcome = { readonly kind: 'included' | 'accepted'; readonly sent?: Sent | undefined } | OrderFailure;

export function failed(code: ErrorCode, reason: string, refusal: string | null = null): OrderFailure {
  return { kind: 'failed', code, reason, refusal };
}

/** A node took it, or a block had it: it may still become final, so no failure is answered. */
export function isTaken(state: TransactionState | undefined): boolean {
  return state === 'sent' || state === 'included';
}
