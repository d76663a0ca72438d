import type BigNumber from 'bignumber.js';
import { Command, Option } from 'nest-commander';
import { MoneyAdminService } from '../admin/money-admin.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
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

  async run(_: string[], options: Options): Promise<void> {
    const { user, transactions, days } = options;
    const added = await this.admin.addSubscription(commandLineOperator(), user, { transactions, days });
    printDocument(subscriptionDocument(added), options);
  }
}
