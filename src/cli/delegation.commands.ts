import { Command, Option } from 'nest-commander';
import { MissingError } from '../common/errors/domain.error';
import { formatTrx } from '../common/money/sun';
import { type HistoryEntry, OrderLookup, type OrderView } from '../delegation/lookup/order-lookup';
import { ORDER_STATES, type OrderState } from '../common/order.states';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand, type CommandEffect } from './cli-command';
import { ListCommand, type ListOptions } from './list-command';
import { parseAddress, parseId } from './option-parsers';
import { type Document, type OutputOptions, printDocument, printList } from './output';
import { UsageError } from './usage.error';

const DELEGATION_COLUMNS = [
  'id',
  'user',
  'receiver',
  'transactions',
  'state',
  'answer',
  'cost',
  'paid_by',
  'txid',
  'created_at',
] as const;

function delegationDocument(view: OrderView, history: readonly HistoryEntry[]): Document {
  const { energy, stake_sun, shortage_sun, cost_sun, transactions, user_id: _user, wallet_id: _wallet, ...rest } = view;
  return {
    ...rest,
    transactions: JSON.rawJSON(transactions),
    energy: Number(energy),
    stake_sun: stake_sun.toString(),
    shortage_sun: shortage_sun.toString(),
    cost: formatTrx(cost_sun),
    history,
  };
}

interface DelegationListOptions extends ListOptions {
  readonly user?: string;
  readonly state?: OrderState;
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
  protected readState(text: string): OrderState {
    const known = ORDER_STATES.find((state) => state === text);
    if (!known) throw new UsageError(`--state must be one of ${ORDER_STATES.join(', ')}, not ${JSON.stringify(text)}`);
    return known;
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

@Command({ name: 'delegation:show', arguments: '<id>', description: 'one order with its history' })
export class DelegationShowCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  constructor(private readonly lookup: OrderLookup) {
    super();
  }

  override check([id]: string[]): void {
    parseId(id!);
  }

  async run([text]: string[], options: OutputOptions): Promise<void> {
    const id = parseId(text!);
    const view = await this.lookup.find(id);
    if (!view) throw new MissingError('order.not-found', { id });
    printDocument(delegationDocument(view, await this.lookup.history(id)), options);
  }
}
