import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { ENERGY_PER_TRANSACTION, exactEnergyOf, largestOrder, smallestOrder } from '../billing/energy-amount';
import { PaymentOutlook } from '../billing/payment-outlook';
import { roundUpBounded, roundUpToThousandths } from '../billing/rounding';
import { HeadStates } from '../chain/tron/head/head-states';
import { withCallPriority } from '../chain/tron/node/call-priority';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { LendingOutlook } from '../chain/pool/wallets/lending-outlook';
import { Clock } from '../common/clock';
import { ReceiverOutlook } from '../reporting/outlooks/receiver-outlook';
import type { QuoteQuery } from './dto/quote-query.dto';
import type { Quote, QuoteCaller, SizedTransfer } from './quote';
import { SizeTransfer } from './size-transfer';

/** The order that covers what is needed, and the energy that would be burned without it. */
interface Order {
  readonly burned: bigint;
  readonly transactions: BigNumber;
}

@Injectable()
export class MakeQuote {
  constructor(
    private readonly heads: HeadStates,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly receivers: ReceiverOutlook,
    private readonly sizeTransfer: SizeTransfer,
    private readonly payments: PaymentOutlook,
    private readonly lending: LendingOutlook,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError RECEIVER_NOT_ALLOWED, VALIDATION_FAILED, RATE_LIMITED; NODE_UNAVAILABLE */
  make(user: QuoteCaller, query: QuoteQuery): Promise<Quote> {
    return withCallPriority('quotes', () => this.quote(user, query));
  }

  private async quote(user: QuoteCaller, query: QuoteQuery): Promise<Quote> {
    const { receiver } = query;
    await this.receivers.refuse(receiver, user.receivers);
    const head = await this.heads.now();
    const [account, priceSun, transfer, timeMs] = await Promise.all([
      this.receivers.read(head, receiver),
      head.energyPriceSun(),
      this.sizeTransfer.size(user.id, head, query),
      // While nothing becomes final an order would be refused.
      this.referenceBlocks.requireFinality().then(() => this.referenceBlocks.headTimeMs()),
    ]);
    const { burned, transactions } = orderFor(query, transfer, account.energyLeft);
    const { energy, ...payment } = await this.payments.of(
      user.id,
      user.tokenId,
      transactions,
      account.paysActivation,
      timeMs,
    );
    // For more than any wallet has, no node is asked again.
    const largestEnergy = await this.lending.largestEnergy(receiver, energy ?? 0n);
    return {
      receiver,
      activated: account.state !== 'inactive',
      contract: account.state === 'contract',
      energyLeft: account.energyLeft,
      transactions,
      energy,
      ...payment,
      available: account.state !== 'contract' && energy !== null && energy <= largestEnergy,
      largestTransactions: largestOrder(largestEnergy),
      burnSun: burned * priceSun,
      transfer,
      quotedAt: this.clock.now(),
    };
  }
}

function orderFor(
  { transactions, onlyMissing }: QuoteQuery,
  transfer: SizedTransfer | null,
  energyLeft: bigint,
): Order {
  const whole = transactions
    ? roundUpBounded(exactEnergyOf(transactions))
    : (transfer?.energy ?? ENERGY_PER_TRANSACTION);
  // What was used above the present limit takes lent energy first: only what is beyond that can be used.
  const overused = energyLeft < 0n ? -energyLeft : 0n;
  const missing = whole > energyLeft ? whole - energyLeft : 0n;
  if (onlyMissing) return { burned: missing < whole ? missing : whole, transactions: smallestOrder(missing) };
  if (transactions) return { burned: whole, transactions: roundUpToThousandths(transactions) };
  return { burned: whole, transactions: smallestOrder(transfer ? whole + overused : whole) };
}
