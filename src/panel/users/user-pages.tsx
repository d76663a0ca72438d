import { Inject, Injectable } from '@nestjs/common';
import { UserService, type UserRecord } from '../../users/user.service';
import { BalanceService } from '../../balance/balance.service';
import { LedgerService } from '../../balance/ledger.service';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { type Form, textOf } from '../http/form';
import { problemOf } from '../http/form-refusal';
import { Page } from '../http/reply';
import type { SignedInVisit } from '../http/page-context';
import { ledgerPage } from '../money/ledger-page';
import { MoneyQueries } from '../money/money.queries';
import type { Attempt } from '../http/form-state';
import { userPath } from './user-by-id.pipe';
import { UserPage } from './user.page';

/** The page of a user: asked for, or shown again around a form that did not go through. */
@Injectable()
export class UserPages {
  constructor(
    private readonly users: UserService,
    private readonly balances: BalanceService,
    private readonly ledger: LedgerService,
    private readonly money: MoneyQueries,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  async show(visit: SignedInVisit, user: UserRecord, query: Form = {}, attempt?: Attempt): Promise<Page> {
    const [balance, holds, subscriptions, ledger] = await Promise.all([
      this.balances.getBalance(user.id),
      this.money.holds(user.id, textOf(query, 'holds')),
      this.money.subscriptions(user.id, textOf(query, 'subscriptions')),
      ledgerPage(this.ledger, user.id, textOf(query, 'ledger')),
    ]);
    const priced = this.pricing.usesAccountPrice;
    const page = <UserPage {...{ visit, user, priced, balance, holds, subscriptions, ledger, attempt }} />;
    return new Page(user.email, page, attempt?.problem ? 422 : 200);
  }

  /** The answer to a form: its links lead to the page itself. */
  async again(visit: SignedInVisit, user: UserRecord, attempt: Attempt): Promise<Page> {
    const now = (await this.users.find({ id: user.id })) ?? user;
    return this.show({ ...visit, url: userPath(user) }, now, {}, attempt);
  }

  /** @throws what is no refusal. */
  refused(visit: SignedInVisit, user: UserRecord, attempt: Attempt, error: unknown): Promise<Page> {
    return this.again(visit, user, { ...attempt, problem: problemOf(error, visit.locale) });
  }
}
