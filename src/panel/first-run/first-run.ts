import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { TokenListRepository } from '../../auth/tokens/token-list.repository';
import { BalanceService } from '../../balance/balance.service';
import { LedgerService } from '../../balance/ledger.service';
import { SubscriptionListRepository } from '../../billing/subscription-list.repository';
import { OrderLookup } from '../../delegation/lookup/order-lookup';
import type { OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import { UserListRepository } from '../../users/user-list.repository';
import { TOP_UP } from '../money/top-up-text';

export interface Step<Name extends string = string> {
  readonly name: Name;
  readonly done: boolean;
  readonly href: string;
}

export type OperatorStep = 'wallet' | 'key' | 'doctor' | 'user' | 'credit' | 'token' | 'order';
export type CustomerStep = 'token' | 'balance' | 'call';

const WALLETS = '/panel/operator/wallets';
const USERS = '/panel/operator/users';

/** What is left to do before the first order has come; null from then on. Each question is answered by the newest row alone. */
@Injectable()
export class FirstRun {
  constructor(
    private readonly lookup: OrderLookup,
    private readonly users: UserListRepository,
    private readonly ledger: LedgerService,
    private readonly balances: BalanceService,
    private readonly tokens: TokenListRepository,
    private readonly subscriptions: SubscriptionListRepository,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** An operator may be the first customer too: a token of anyone, and the money of anyone, will do. */
  async ofOperator({ wallets, refusal }: OrderOutlookView): Promise<Step<OperatorStep>[] | null> {
    if ((await this.lookup.list({ limit: 1 })).length > 0) return null;
    const [users, credited, hasToken] = await Promise.all([
      this.users.page({ prefix: '', after: '', limit: 2 }),
      this.ledger.hasEntries(),
      this.tokens.hasAny(),
    ]);
    const delegating = wallets.filter(({ role }) => role === 'delegate');
    const [wallet] = delegating;
    const customer = users.find(({ operator }) => !operator);
    // The page of the one wallet that there is has the doctor.
    const doctor = wallet ? `${WALLETS}/${wallet.id}?check=yes` : WALLETS;
    return [
      { name: 'wallet', done: wallet !== undefined, href: `${WALLETS}/new` },
      { name: 'key', done: delegating.some(({ state }) => state === 'active') && refusal?.why !== 'key', href: doctor },
      { name: 'doctor', done: refusal === null, href: doctor },
      { name: 'user', done: users.length > 1 || users.some(({ operator }) => !operator), href: `${USERS}/new` },
      { name: 'credit', done: credited, href: customer ? `${USERS}/${customer.id}/money` : USERS },
      { name: 'token', done: hasToken, href: '/panel/tokens/new' },
      { name: 'order', done: false, href: '/panel/try-it' },
    ];
  }

  async ofCustomer(userId: string): Promise<Step<CustomerStep>[] | null> {
    const [orders, balance, subscriptions, tokens] = await Promise.all([
      this.lookup.list({ userId, limit: 1 }),
      this.balances.getBalance(userId),
      this.subscriptions.page(userId, { after: null, limit: 1 }),
      this.tokens.page(userId, { after: null, limit: 1 }),
    ]);
    if (orders.length > 0) return null;
    const paid = balance.availableSun > 0n || subscriptions.length > 0;
    return [
      { name: 'token', done: tokens.length > 0, href: '/panel/tokens/new' },
      { name: 'balance', done: paid, href: this.configuration.deposits ? TOP_UP : '/panel/balance' },
      { name: 'call', done: false, href: '/panel/try-it' },
    ];
  }
}
