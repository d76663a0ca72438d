import { Command } from 'nest-commander';
import { SubscriptionService } from '../billing/subscription.service';
import { CliCommand } from './cli-command';
import { parseId } from './option-parsers';
import { type OutputOptions, printDocument } from './output';
import { subscriptionDocument } from './subscription.document';

@Command({
  name: 'subscription:end',
  arguments: '<id>',
  description: 'end a subscription now; what it already promised is still paid by it',
})
export class SubscriptionEndCommand extends CliCommand {
  constructor(private readonly subscriptions: SubscriptionService) {
    super();
  }

  override check([id]: string[]): void {
    parseId(id!);
  }

  async run([id]: string[], options: OutputOptions): Promise<void> {
    printDocument(subscriptionDocument(await this.subscriptions.end(parseId(id!))), options);
  }
}
