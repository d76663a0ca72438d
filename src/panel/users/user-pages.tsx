import { Inject, Injectable } from '@nestjs/common';
import { BalanceService } from '../../balance/balance.service';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { RefusedAttemptRepository } from '../../reporting/refusals/refused-attempt.repository';
import { OrderReport } from '../../reporting/reports/order-report';
import { UserService, type UserRecord } from '../../users/user.service';
import { isHourly, readBars } from '../business/time-buckets';
import { momentsOf, readRange, spanOf, type ZonedRange } from '../dates/date-range';
import { type Form, numberOf, problemOf } from '../http/form';
import type { UserVisit } from '../http/visit';
import { Page } from '../http/reply';
import { cutPage, PAGE_SIZE, ShownAt } from '../layout/components';
import { MoneyPages } from '../money/money-pages';
import { UserAccessPage } from './user-access.page';
import { tabPath } from './user-by-id.pipe';
import { UserMoneyPage } from './user-money.page';
import type { FormState, UserFrameProps, UserTab } from './user-page.props';
import { UserSubscriptionsPage } from './user-subscriptions';
import { UserUsagePage } from './user-usage.page';

/** Where each form of a user's page stands. */
const TAB_OF_FORM = { movement: 'money', subscription: 'subscriptions', settings: 'access' } as const;
/** What the usage shows when nothing else is asked for. */
const USAGE_DAYS = 30;

/** The page of a user, one tab of it, requested or shown again with a form that was refused. */
@Injectable()
export class UserPages {
  constructor(
    private readonly users: UserService,
    private readonly balances: BalanceService,
    private readonly money: MoneyPages,
    private readonly reports: OrderReport,
    private readonly refusals: RefusedAttemptRepository,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  async show(visit: UserVisit, user: UserRecord, tab: UserTab, query: Form = {}, formState?: FormState): Promise<Page> {
    const balance = await this.balances.getBalance(user.id);
    const page = await this.tab(tab, visit, { user, balance, formState }, query);
    return new Page(user.email, page, formState?.problem ? 422 : 200);
  }

  /** The answer to a form: its links lead to the page itself. */
  async again(visit: UserVisit, user: UserRecord, formState: FormState): Promise<Page> {
    const now = (await this.users.find({ id: user.id })) ?? user;
    const tab = TAB_OF_FORM[formState.of];
    const { title, content, status } = await this.show(visit, now, tab, {}, formState);
    return new Page(title, <ShownAt url={tabPath(user, tab)}>{content}</ShownAt>, status);
  }

  /** @throws what is no refusal */
  refused(visit: UserVisit, user: UserRecord, formState: FormState, error: unknown): Promise<Page> {
    return this.again(visit, user, { ...formState, problem: problemOf(error, visit) });
  }

  private async tab(tab: UserTab, visit: UserVisit, frame: UserFrameProps, query: Form) {
    const { id } = frame.user;
    if (tab === 'usage') return this.usage(visit, frame, query);
    if (tab === 'money') {
      const [holds, ledger] = await Promise.all([this.money.holds(id, query), this.money.ledger(visit, id, query)]);
      return <UserMoneyPage {...{ ...frame, holds, ledger }} />;
    }
    if (tab === 'subscriptions') {
      const subscriptions = await this.money.subscriptions(id, query, 'subscriptions');
      return <UserSubscriptionsPage {...{ ...frame, subscriptions }} />;
    }
    return <UserAccessPage {...frame} priced={this.pricing.usesAccountPrice} />;
  }

  private async usage(visit: UserVisit, frame: UserFrameProps, query: Form) {
    const asked = readRange(query, { fallback: USAGE_DAYS, timeZone: visit.user.timeZone });
    const { range, timeZone } = asked;
    const page = { before: numberOf(query, 'after'), ...momentsOf(asked), limit: PAGE_SIZE + 1 };
    const [usage, attempts] = await Promise.all([
      range && this.read(frame.user.id, { range, timeZone }),
      asked.problem ? [] : this.refusals.list(frame.user.id, page),
    ]);
    const shown = cutPage(attempts, (row) => row.id.toString());
    return <UserUsagePage {...{ ...frame, asked, usage, attempts: shown }} />;
  }

  private async read(userId: string, asked: ZonedRange) {
    const span = spanOf(asked);
    const [report, refused, lost] = await Promise.all([
      this.reports.read(span, isHourly(asked.range), userId),
      this.reports.refusedByDay(span, userId),
      this.reports.lostByCode(span, userId),
    ]);
    return { report, bars: await readBars(this.reports, asked, report, refused, userId), lost };
  }
}
