import type { Deposit, Order, OrderState } from './types.ts';

export interface FailureDetails {
  readonly status: number;
  /** `X-Error-Code`. */
  readonly code: string | undefined;
  /** With status 400: what is wrong with each field. */
  readonly details: Readonly<Record<string, readonly string[]>> | undefined;
  readonly requestId: string | undefined;
  /** The order, when there is one: it failed, and is not charged. */
  readonly delegationId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly idempotencyKey: string | undefined;
}

/**
 * The service itself has refused (`X-Error-Code`). From `delegate()` it means that this order is never charged, except
 * with the code `IDEMPOTENCY_KEY_REUSED`: an order with this key and other fields exists, and may be delivered and charged. From `waitFor()` and the other
 * look-ups it means only that the look was refused: the order may be delivered and charged.
 */
export class EnergyError extends Error {
  override readonly name = 'EnergyError';
  readonly status: number;
  readonly code: string | undefined;
  readonly details: FailureDetails['details'];
  readonly requestId: string | undefined;
  readonly delegationId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly idempotencyKey: string | undefined;

  constructor(message: string, failure: FailureDetails) {
    super(message);
    this.status = failure.status;
    this.code = failure.code;
    this.details = failure.details;
    this.requestId = failure.requestId;
    this.delegationId = failure.delegationId;
    this.retryAfterSeconds = failure.retryAfterSeconds;
    this.idempotencyKey = failure.idempotencyKey;
  }
}

/**
 * It is not known what became of the call: no attempt was answered by the service (a cut line, a gateway's 504, an empty 200), or one was
 * not and what came later says nothing of it. The order may have been placed, delivered and charged or not: call `delegate()` again with this
 * `idempotencyKey` and the same fields, now or days later, and the answer is that of the first attempt that arrived.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly idempotencyKey: string | undefined;

  constructor(cause: unknown, idempotencyKey: string | undefined) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** The order has gone another way: the state that was waited for will not come. */
export class OrderStateError extends Error {
  override readonly name = 'OrderStateError';
  readonly order: Order;

  constructor(order: Order, wanted: OrderState) {
    super(`Order ${order.id} is ${order.state} and will not be ${wanted}`);
    this.order = order;
  }
}

/** The state that was waited for has not come in time. The order goes on. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
  readonly order: Order;

  constructor(order: Order, wanted: OrderState) {
    super(`Order ${order.id} is still ${order.state}, not yet ${wanted}`);
    this.order = order;
  }
}

/** The payment was not decided in time. It can still be credited. */
export class DepositTimeoutError extends Error {
  override readonly name = 'DepositTimeoutError';
  /** As it was seen last; none: no block had the payment. */
  readonly deposit: Deposit | undefined;

  constructor(txid: string, deposit: Deposit | undefined) {
    super(deposit ? `Deposit ${deposit.id} is still ${deposit.state}` : `No block has shown the deposit of ${txid}`);
    this.deposit = deposit;
  }
}
