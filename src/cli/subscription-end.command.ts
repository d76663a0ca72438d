import { Command } from 'nest-commander';
import { MoneyAdminService } from '../admin/money-admin.service';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { parseId } from './option-parsers';
import { type OutputOptions, printDocument } from './output';
import { subscriptionDocument } from './subscription.document';

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
