import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { ENERGY_PER_TRANSACTION, energyOf, largestOrder, smallestOrder } from '../billing/energy-amount';
import { PaymentOutlook } from '../billing/payment-outlook';
import { insufficientBalance } from '../billing/payment-refusal';
import { roundUpToThousandths } from '../billing/rounding';
import { HeadStates } from '../chain/head/head-states';
import { withCallPriority } from '../chain/node/call-priority';
import { LendingOutlook } from '../chain/wallets/lending-outlook';
import { Clock } from '../common/clock';
import { ReceiverOutlook } from '../delegation/lookup/receiver-outlook';
import type { RequestUser } from '../users/request-user';
import type { QuoteQuery } from './dto/quote-query.dto';
import type { Quote, SizedTransfer } from './quote';
import { SizeTransfer } from './size-transfer';

/** What is needed, and the order that covers it. */
interface Order {
  readonly needed: bigint;
  readonly transactions: BigNumber;
}

@Injectable()
export class MakeQuote {
  constructor(
    private readonly heads: HeadStates,
    private readonly receivers: ReceiverOutlook,
    private readonly sizeTransfer: SizeTransfer,
    private readonly payments: PaymentOutlook,
    private readonly lending: LendingOutlook,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError RECEIVER_NOT_ALLOWED, VALIDATION_FAILED, RATE_LIMITED, INSUFFICIENT_BALANCE for more than any account could pay; NODE_UNAVAILABLE */
  make(user: RequestUser, query: QuoteQuery): Promise<Quote> {
    return withCallPriority('quotes', () => this.quote(user, query));
  }

  private async quote(user: RequestUser, query: QuoteQuery): Promise<Quote> {
    const { receiver } = query;
    await this.receivers.refuse(receiver, user.receivers);
    const head = await this.heads.now();
    const [account, priceSun, transfer] = await Promise.all([
      this.receivers.read(head, receiver),
      head.energyPriceSun(),
      this.sizeTransfer.size(user.id, head, query),
    ]);
    const { needed, transactions } = orderFor(query, transfer, account.energy);
    const { energy, ...payment } = await this.payments.of(user.id, transactions, account.paysActivation);
    const largestEnergy = await this.lending.largestEnergy(receiver, energy);
    return {
      receiver,
      activated: account.state !== 'inactive',
      contract: account.state === 'contract',
      energyAvailable: account.energy,
      transactions,
      energy,
      ...payment,
      available: account.state !== 'contract' && energy <= largestEnergy,
      largestTransactions: largestOrder(largestEnergy),
      burnSun: needed * priceSun,
      transfer,
      quotedAt: this.clock.now(),
    };
  }
}

function orderFor(query: QuoteQuery, transfer: SizedTransfer | null, energyAvailable: bigint): Order {
  const asked = query.transactions;
  const whole = asked ? energyOf(asked) : (transfer?.energy ?? ENERGY_PER_TRANSACTION);
  if (whole === null) throw insufficientBalance();
  if (!query.onlyMissing)
    return { needed: whole, transactions: asked ? roundUpToThousandths(asked) : smallestOrder(whole) };
  const needed = whole > energyAvailable ? whole - energyAvailable : 0n;
  return { needed, transactions: smallestOrder(needed) };
}
