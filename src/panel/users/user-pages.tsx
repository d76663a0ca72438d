import { Inject, Injectable } from '@nestjs/common';
import { BalanceService } from '../../balance/balance.service';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { UserService, type UserRecord } from '../../users/user.service';
import type { Form } from '../http/form';
import { problemOf } from '../http/form-refusal';
import type { FormState } from '../http/form-state';
import type { SignedInPageContext } from '../http/page-context';
import { Page } from '../http/reply';
import { MoneyPages } from '../money/money-pages';
import { userPath } from './user-by-id.pipe';
import { UserPage } from './user.page';

/** The page of a user, requested or shown again with a form that was refused. */
@Injectable()
export class UserPages {
  constructor(
    private readonly users: UserService,
    private readonly balances: BalanceService,
    private readonly money: MoneyPages,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  async show(
    pageContext: SignedInPageContext,
    user: UserRecord,
    query: Form = {},
    formState?: FormState,
  ): Promise<Page> {
    const [balance, holds, subscriptions, ledger] = await Promise.all([
      this.balances.getBalance(user.id),
      this.money.holds(user.id, query),
      this.money.subscriptions(user.id, query, 'subscriptions'),
      this.money.ledger(user.id, query),
    ]);
    const priced = this.pricing.usesAccountPrice;
    const page = <UserPage {...{ pageContext, user, priced, balance, holds, subscriptions, ledger, formState }} />;
    return new Page(user.email, page, formState?.problem ? 422 : 200);
  }

  /** The answer to a form: its links lead to the page itself. */
  async again(pageContext: SignedInPageContext, user: UserRecord, formState: FormState): Promise<Page> {
    const now = (await this.users.find({ id: user.id })) ?? user;
    return this.show({ ...pageContext, url: userPath(user) }, now, {}, formState);
  }

  /** @throws what is no refusal */
  refused(pageContext: SignedInPageContext, user: UserRecord, formState: FormState, error: unknown): Promise<Page> {
    return this.again(pageContext, user, { ...formState, problem: problemOf(error, pageContext.locale) });
  }
}
