import { Command, Option } from 'nest-commander';
import { SubscriptionService } from '../billing/subscription.service';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { ListCommand, type ListOptions } from './list-command';
import { printList } from './output';
import { SUBSCRIPTION_COLUMNS, subscriptionDocument } from './subscription.document';

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
