import { Injectable } from '@nestjs/common';
import { Outbox } from '../../chain/transactions/outbox/outbox';
import { TransactionBuilder } from '../../chain/transactions/signing/transaction-builder';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import type { SignedTransaction } from '../../chain/tron/node/signed-transaction';
import { Clock } from '../../common/clock';
import { Sql } from '../../database/sql';
import { Leases } from '../leases';
import type { OrderClaim } from '../order-claim';
import { OrderRepository } from '../order.repository';
import { AwaitActivation } from './await-activation';
import { failed, type OrderFailure } from './order-outcome';
import type { ActivatingOrder } from './planned-order';
import { signDelegation } from './sign-delegation';

interface Activated {
  readonly kind: 'activated';
  readonly delegation: SignedTransaction;
  /** The claim on the order was renewed then. */
  readonly claimedMs: number;
}

/** Brings the receiver into being, then signs the delegation on the block that holds it: it can land only where the receiver exists. */
@Injectable()
export class ActivateReceiver {
  constructor(
    private readonly activation: AwaitActivation,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly builder: TransactionBuilder,
    private readonly sql: Sql,
    private readonly orders: OrderRepository,
    private readonly outbox: Outbox,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  async activate(claim: OrderClaim, activating: ActivatingOrder): Promise<Activated | OrderFailure> {
    const block = await this.activation.block(activating);
    if ('kind' in block) return block;
    const reference = await this.referenceBlocks.onTopOf(block);
    const claimedMs = this.clock.monotonicMs();
    const transaction = await signDelegation(this.builder, activating.order, activating.wallet, reference);
    const isSaved = await this.sql.transaction(async (tx) => {
      if (!(await this.orders.markSigned(tx, claim, this.leases.requestMs(false)))) return false;
      await this.outbox.save(tx, transaction);
      return true;
    });
    return isSaved
      ? { kind: 'activated', delegation: transaction.signed, claimedMs }
      : failed('OUTCOME_UNKNOWN', 'the order was given up while its receiver was activated');
  }
}
