import { Command, Option } from 'nest-commander';
import { OrderLookup } from '../delegation/lookup/order-lookup';
import { ORDER_STATES } from '../delegation/order.states';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { DELEGATION_COLUMNS, delegationDocument } from './delegation.document';
import { ListCommand, type ListOptions } from './list-command';
import { parseAddress } from './option-parsers';
import { printList } from './output';
import { UsageError } from './usage.error';

interface DelegationListOptions extends ListOptions {
  readonly user?: string;
  readonly state?: string;
  readonly receiver?: string;
}

@Command({ name: 'delegation:list', description: 'orders, newest first' })
export class DelegationListCommand extends ListCommand {
  constructor(
    private readonly users: UserService,
    private readonly lookup: OrderLookup,
  ) {
    super();
  }

  @Option({ flags: '--user <email>' })
  protected readUser(email: string): string {
    return checkEmail(email);
  }

  @Option({ flags: '--state <state>' })
  protected readState(text: string): string {
    const known = ORDER_STATES.some((state) => state === text);
    if (!known) throw new UsageError(`--state must be one of ${ORDER_STATES.join(', ')}, not ${JSON.stringify(text)}`);
    return text;
  }

  @Option({ flags: '--receiver <T…>' })
  protected readReceiver(address: string): string {
    return parseAddress('--receiver', address);
  }

  async run(_: string[], { user, state, receiver, limit, json }: DelegationListOptions): Promise<void> {
    const userId = user === undefined ? null : (await this.users.get(user)).id;
    const views = await this.lookup.list({ userId, state, receiver, limit });
    const histories = json ? await this.lookup.histories(views.map((view) => view.id)) : new Map<string, never>();
    printList(
      DELEGATION_COLUMNS,
      views.map((view) => delegationDocument(view, histories.get(view.id) ?? [])),
      { json },
    );
  }
}
