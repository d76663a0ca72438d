import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { SigningKeyError } from '../../chain/transactions/signing/signing-keys';
import { Capacity } from '../../chain/pool/wallets/capacity';
import { ChooseWallet, PayerTakenError, PoolUnreadError } from '../../chain/pool/wallets/choose-wallet';
import { StakeTakenError } from '../../chain/pool/wallets/reservations';
import { ServiceError } from '../../common/errors/service.error';
import { CommitUnknownError } from '../../database/commit-unknown.error';
import { DatabaseRetry } from '../database-retry';
import type { OrderRequest } from '../order-request';
import { OrderWrites } from '../order-writes';
import { OrderRepository } from '../order.repository';
import { ACTIVATION } from '../transaction-kinds';
import { OrderAttempt } from './order-attempt';
import { PlanOrder } from './plan-order';
import type { PlacedOrder } from './planned-order';
import { UnsignedOrderError } from './unsigned-order.error';

/** Attempts when orders race for the same row: a wallet, or a unique index (one activation per receiver, equal bytes of two instances). */
const ATTEMPTS = 50;
const DEADLOCK = '40P01';
const RETRIED_INDEXES = [ACTIVATION.alone, 'chain_transactions_open_tx_id'];

/** The order's first transaction: hold, wallet, rows and signed bytes, all or nothing. */
@Injectable()
export class CreateOrder {
  constructor(
    private readonly planOrder: PlanOrder,
    private readonly chooseWallet: ChooseWallet,
    private readonly attempt: OrderAttempt,
    private readonly capacity: Capacity,
    private readonly orders: OrderRepository,
    private readonly databaseRetry: DatabaseRetry,
    private readonly writes: OrderWrites,
  ) {}

  /** @throws ServiceError COST_ABOVE_MAX, TOKEN_LIMIT_REACHED, INSUFFICIENT_BALANCE before INSUFFICIENT_ENERGY, PAUSED, ACTIVATION_UNAVAILABLE, NODE_UNAVAILABLE; then nothing was written. */
  async create(request: OrderRequest, receiverIsActive: boolean): Promise<PlacedOrder> {
    const waitEndMs = this.capacity.waitEndMs();
    const order = await this.planOrder.plan(request, receiverIsActive, waitEndMs);
    const looked = new Set<Wanting>();
    const unsigned = new Map<string, SigningKeyError>();
    for (let attempt = 1; ; attempt++) {
      try {
        const wanted = { stakeSun: order.stakeSun, receiver: order.request.receiver, without: unsigned };
        const written = await this.chooseWallet.delegating(wanted, (wallet) => this.attempt.write(order, wallet));
        this.writes.worked();
        return written;
      } catch (error) {
        this.writes.failed(error);
        if (error instanceof CommitUnknownError && (await this.isWritten(order.id))) {
          return error.result as PlacedOrder;
        }
        if (error instanceof UnsignedOrderError) {
          unsigned.set(error.wallet.id, error.cause);
          continue;
        }
        const wanting = whatIsWanting(error);
        if (wanting && !looked.has(wanting)) {
          looked.add(wanting);
          const judging = error instanceof PoolUnreadError ? error.judging : null;
          // Another order may have found it first.
          await (judging
            ? this.capacity.waitUntil(waitEndMs, judging)
            : this.capacity.findMore(order.stakeSun, waitEndMs));
          continue;
        }
        if (lostRace(error) && attempt < ATTEMPTS) continue;
        throw isWithoutWallet(error) ? await this.planOrder.refusal(order, error) : error;
      }
    }
  }

  /** After a commit that was not acknowledged. While that is not known, nothing of the order is sent, so nothing can land. */
  private async isWritten(id: string): Promise<boolean> {
    return this.databaseRetry
      .throughOutage(() => this.orders.find(id))
      .then(
        (row) => row !== null,
        () => false,
      );
  }
}

/** What an order looks for once before it is refused: stake, or a verdict on the key of a wallet that activates. */
type Wanting = 'stake' | 'verdict';

function whatIsWanting(error: unknown): Wanting | null {
  if (error instanceof PoolUnreadError) return error.judging ? 'verdict' : 'stake';
  return error instanceof ServiceError && error.code === 'INSUFFICIENT_ENERGY' ? 'stake' : null;
}

/** Refused by the pool, or by a wallet whose key is not at hand. */
function isWithoutWallet(error: unknown): error is ServiceError {
  const codes = ['INSUFFICIENT_ENERGY', 'PAUSED', 'ACTIVATION_UNAVAILABLE'];
  const isKnown = error instanceof SigningKeyError || error instanceof PoolUnreadError;
  return isKnown || (error instanceof ServiceError && codes.includes(error.code));
}

/** Lost a race for the same row; safe to retry. */
function lostRace(error: unknown): boolean {
  if (error instanceof StakeTakenError || error instanceof PayerTakenError) return true;
  if (!(error instanceof DatabaseError)) return false;
  return error.code === DEADLOCK || RETRIED_INDEXES.some((index) => error.constraint === index);
}
