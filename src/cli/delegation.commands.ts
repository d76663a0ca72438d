import { Inject } from '@nestjs/common';
import { MissingError } from '../common/errors/domain.error';
import { formatTrx } from '../common/money/sun';
import { OrderLookup, type OrderView } from '../delegation/lookup/order-lookup';
import { type HistoryEntry, OrderHistories } from '../delegation/order-histories';
import { ORDER_STATES, type OrderState } from '../common/order.states';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand, Command, type CommandEffect } from './cli-command';
import { ListCommand, type ListOptions } from './list-command';
import { BY_ID, parseAddress, parseId, parseOneOf } from './option-parsers';
import { type Document, type OutputOptions, printDocument, printList } from './output';

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

@Command({
  name: 'delegation:list',
  description: 'list orders, newest first',
  options: [
    { flags: '--user <email>', read: checkEmail },
    { flags: '--state <state>', read: (text) => parseOneOf('--state', ORDER_STATES, text) },
    { flags: '--receiver <T…>', read: (address) => parseAddress('--receiver', address) },
  ],
})
export class DelegationListCommand extends ListCommand {
  @Inject() private readonly users!: UserService;
  @Inject() private readonly lookup!: OrderLookup;
  @Inject() private readonly histories!: OrderHistories;

  async run(_: string[], { user, state, receiver, limit, json }: DelegationListOptions): Promise<void> {
    const userId = user === undefined ? null : (await this.users.get(user)).id;
    const views = await this.lookup.list({ userId, state, receiver, limit });
    const histories = json ? await this.histories.histories(views.map((view) => view.id)) : new Map<string, never>();
    printList(
      DELEGATION_COLUMNS,
      views.map((view) => delegationDocument(view, histories.get(view.id) ?? [])),
      { json },
    );
  }
}

@Command({ name: 'delegation:show', argument: BY_ID, description: 'show an order with its history' })
export class DelegationShowCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  @Inject() private readonly lookup!: OrderLookup;
  @Inject() private readonly histories!: OrderHistories;

  async run([text]: string[], options: OutputOptions): Promise<void> {
    const id = parseId(text!);
    const view = await this.lookup.find(id);
    if (!view) throw new MissingError('order.not-found', { id });
    printDocument(delegationDocument(view, await this.histories.history(id)), options);
  }
}
