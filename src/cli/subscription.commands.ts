import type BigNumber from 'bignumber.js';
import { Inject } from '@nestjs/common';
import { MoneyAdminService } from '../admin/money-admin.service';
import { checkReference } from '../balance/movement-values';
import { transactionsLiteral } from '../billing/energy-amount';
import { SubscriptionService, type SubscriptionView } from '../billing/subscription.service';
import { formatTrx } from '../common/money/sun';
import { UserService } from '../users/user.service';
import { CliCommand, Command } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { BY_ID, OF_USER, parseId, parsePositiveInteger, parseTransactions, parseTrxSun } from './option-parsers';
import { type OutputOptions, printDocument, printList } from './output';
import { UsageError } from './usage.error';
import { warnOfReference } from './reference.warnings';

const SUBSCRIPTION_COLUMNS = ['id', 'transactions', 'used', 'held', 'valid_from', 'valid_until', 'reference', 'price'];

/** Quota in transactions, as people count it. */
function subscriptionDocument(subscription: SubscriptionView) {
  return {
    id: subscription.id,
    transactions: JSON.rawJSON(transactionsLiteral(subscription.quotaEnergy)),
    used: JSON.rawJSON(transactionsLiteral(subscription.usedEnergy)),
    held: JSON.rawJSON(transactionsLiteral(subscription.heldEnergy)),
    valid_from: subscription.validFrom,
    valid_until: subscription.validUntil,
    reference: subscription.reference,
    price: subscription.priceSun === null ? null : formatTrx(subscription.priceSun),
    paid_by: subscription.paidBy,
  };
}

function positive(flag: string, sun: bigint): bigint {
  if (sun === 0n) throw new UsageError(`${flag} must be above 0`);
  return sun;
}

interface Options extends OutputOptions {
  readonly user: string;
  readonly transactions: BigNumber;
  readonly days: number;
  readonly reference?: string;
  readonly price?: bigint;
  readonly fromBalance?: true;
}

@Command({
  name: 'subscription:create',
  description: 'give or sell a user a quota of transactions, valid from now on',
  options: [
    OF_USER,
    { flags: '--transactions <number>', read: parseTransactions, required: true },
    {
      flags: '--days <number>',
      description: 'valid for this many times 24 hours',
      read: (text) => parsePositiveInteger('--days', text, 36_500),
      required: true,
    },
    {
      flags: '--reference <text>',
      description:
        'adds only one subscription, however often you repeat it; made for you if you give none. With --price and without --from-balance it must name the payment',
      read: checkReference,
    },
    {
      flags: '--price <native units>',
      description: 'what the customer pays: from the balance, or with the payment that --reference names',
      read: (text) => positive('--price', parseTrxSun('--price', text)),
    },
    { flags: '--from-balance', description: 'take the price from what the customer can spend' },
  ],
})
export class SubscriptionCreateCommand extends CliCommand {
  @Inject() private readonly admin!: MoneyAdminService;

  override check(args: string[], options: Options): void {
    super.check(args, options);
    const { price, fromBalance, reference } = options;
    if (fromBalance && price === undefined) throw new UsageError('--from-balance needs --price');
    if (price !== undefined && !fromBalance && reference === undefined)
      throw new UsageError('--price needs --from-balance, or a --reference that names the payment');
  }

  async run(_: string[], options: Options): Promise<void> {
    const { user, transactions, days, reference, price: priceSun, fromBalance } = options;
    const price = priceSun && ({ priceSun, paidBy: fromBalance ? 'balance' : 'reference' } as const);
    const quota = { transactions, days, reference, ...(price && { price }) };
    const added = await this.admin.addSubscription(commandLineOperator(), user, quota);
    if (added.repeated) process.stderr.write('Warning: this subscription was already added; nothing was added\n');
    warnOfReference(added);
    printDocument(subscriptionDocument(added), options);
  }
}

@Command({
  name: 'subscription:end',
  argument: BY_ID,
  description: 'end a subscription now; it still pays for orders that it already holds quota for',
})
export class SubscriptionEndCommand extends CliCommand {
  @Inject() private readonly admin!: MoneyAdminService;

  async run([id]: string[], options: OutputOptions): Promise<void> {
    const ended = await this.admin.endSubscription(commandLineOperator(), parseId(id!));
    printDocument(subscriptionDocument(ended), options);
  }
}

@Command({ name: 'subscription:list', description: "list a user's subscriptions, newest first", options: [OF_USER] })
export class SubscriptionListCommand extends ListCommand {
  @Inject() private readonly users!: UserService;
  @Inject() private readonly subscriptions!: SubscriptionService;

  async run(_: string[], options: ListOptions & { user: string }): Promise<void> {
    const { id } = await this.users.get(options.user);
    const subscriptions = await this.subscriptions.list(id, options.limit);
    printList(SUBSCRIPTION_COLUMNS, subscriptions.map(subscriptionDocument), options);
  }
}
