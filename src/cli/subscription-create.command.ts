import type BigNumber from 'bignumber.js';
import { Command, Option } from 'nest-commander';
import { checkEmail } from '../auth/user-values';
import { UserService } from '../auth/user.service';
import { SubscriptionService } from '../billing/subscription.service';
import { CliCommand } from './cli-command';
import { parsePositiveInteger, parseTransactions } from './option-parsers';
import { type OutputOptions, printDocument } from './output';
import { subscriptionDocument } from './subscription.document';

interface Options extends OutputOptions {
  readonly user: string;
  readonly transactions: BigNumber;
  readonly days: number;
}

@Command({ name: 'subscription:create', description: 'give a user a quota of transactions, valid from now on' })
export class SubscriptionCreateCommand extends CliCommand {
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

  @Option({ flags: '--transactions <number>', required: true })
  protected readTransactions(text: string): BigNumber {
    return parseTransactions(text);
  }

  @Option({ flags: '--days <number>', description: 'valid for so many times 24 hours', required: true })
  protected readDays(text: string): number {
    return parsePositiveInteger('--days', text, 36_500);
  }

  async run(_: string[], options: Options): Promise<void> {
    const { id: userId } = await this.users.get(options.user);
    const { transactions, days } = options;
    printDocument(subscriptionDocument(await this.subscriptions.create({ userId, transactions, days })), options);
  }
}
