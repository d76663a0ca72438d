import type BigNumber from 'bignumber.js';
import { Command, Option } from 'nest-commander';
import { MoneyAdminService } from '../admin/money-admin.service';
import { checkReference } from '../balance/movement-values';
import { transactionsLiteral } from '../billing/energy-amount';
import { SubscriptionService, type SubscriptionView } from '../billing/subscription.service';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { parseId, parsePositiveInteger, parseTransactions } from './option-parsers';
import { type OutputOptions, printDocument, printList } from './output';
import { warnOfReference } from './reference.warnings';

const SUBSCRIPTION_COLUMNS = ['id', 'transactions', 'used', 'held', 'valid_from', 'valid_until', 'reference'];

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
  };
}

interface Options extends OutputOptions {
  readonly user: string;
  readonly transactions: BigNumber;
  readonly days: number;
  readonly reference?: string;
}

@Command({ name: 'subscription:create', description: 'give a user a quota of transactions, valid from now on' })
export class SubscriptionCreateCommand extends CliCommand {
  constructor(private readonly admin: MoneyAdminService) {
    super();
  }

  @Option({ flags: '--user <email>', required: true })
  protected readUser(email: string): string {
    return checkEmail(email);
  }

  @Option({ flags: '--transactions <number>', required: true })
  protected readTransactions(text: string): BigNumber {
    return parseTransactions(text);
  }

  @Option({ flags: '--days <number>', description: 'valid for so many times 24 hours', required: true })
  protected readDays(text: string): number {
    return parsePositiveInteger('--days', text, 36_500);
  }

  @Option({
    flags: '--reference <text>',
    description: 'the same one twice makes one subscription; without it one is made',
  })
  protected readReference(reference: string): string {
    return checkReference(reference);
  }

  async run(_: string[], options: Options): Promise<void> {
    const { user, transactions, days, reference } = options;
    const added = await this.admin.addSubscription(commandLineOperator(), user, { transactions, days, reference });
    if (added.repeated) process.stderr.write('Warning: made already; nothing was added\n');
    warnOfReference(added);
    printDocument(subscriptionDocument(added), options);
  }
}

@Command({
  name: 'subscription:end',
  arguments: '<id>',
  description: 'end a subscription now; what it already promised is still paid by it',
})
export class SubscriptionEndCommand extends CliCommand {
  constructor(private readonly admin: MoneyAdminService) {
    super();
  }

  override check([id]: string[]): void {
    parseId(id!);
  }

  async run([id]: string[], options: OutputOptions): Promise<void> {
    const ended = await this.admin.endSubscription(commandLineOperator(), parseId(id!));
    printDocument(subscriptionDocument(ended), options);
  }
}

@Command({ name: 'subscription:list', description: "a user's subscriptions, newest first" })
export class SubscriptionListCommand extends ListCommand {
  constructor(
    private readonly users: UserService,
    private readonly subscriptions: SubscriptionService,
  ) {
    super();
  }

  @Option({ flags: '--user <email>', required: true })
  protected readUser(email: string): string {
    return checkEmail(email);
  }

  async run(_: string[], options: ListOptions & { user: string }): Promise<void> {
    const { id } = await this.users.get(options.user);
    const subscriptions = await this.subscriptions.list(id, options.limit);
    printList(SUBSCRIPTION_COLUMNS, subscriptions.map(subscriptionDocument), options);
  }
}
