import { Get, Inject } from '@nestjs/common';
import BigNumber from 'bignumber.js';
import { BalanceService } from '../../balance/balance.service';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { Clock } from '../../common/clock';
import { PanelAddress } from '../../common/http/panel-address';
import { OrderReport } from '../../reporting/reports/order-report';
import { UserService } from '../../users/user.service';
import { addDays, dayIn, midnightOf } from '../dates/date-range';
import { FirstRun } from '../first-run/first-run';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { ThisVisit, type UserVisit } from '../http/visit';
import { HomePage } from './home.page';
import { NewestFailures } from './newest-failures';

const FAILURE_DAYS = 7;

@PanelController('home', 'user')
export class HomeController {
  constructor(
    private readonly balances: BalanceService,
    private readonly users: UserService,
    private readonly reports: OrderReport,
    private readonly failures: NewestFailures,
    private readonly firstRun: FirstRun,
    private readonly address: PanelAddress,
    private readonly clock: Clock,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  @Get()
  async show(@ThisVisit() { user, messages }: UserVisit): Promise<Reply> {
    const timeZone = user.timeZone ?? 'UTC';
    const day = dayIn(this.clock.now(), timeZone);
    const begin = (date: string) => midnightOf(date, timeZone);
    const end = begin(addDays(day, 1));
    const [balance, priceSun, today, failures, steps] = await Promise.all([
      this.balances.getBalance(user.id),
      this.priceOf(user.email),
      this.reports.read({ from: begin(day), to: end }, true, user.id),
      this.failures.read(user.id, { from: begin(addDays(day, 1 - FAILURE_DAYS)), to: end }),
      this.firstRun.ofCustomer(user.id),
    ]);
    const page = { balance, priceSun, today: today.total, failures, steps, baseUrl: this.address.baseUrl() };
    return new Page(messages.home.title, <HomePage {...page} />);
  }

  /** For one transaction. */
  private async priceOf(email: string): Promise<bigint> {
    const own = this.pricing.usesAccountPrice ? (await this.users.get(email)).unitPriceSun : null;
    return BigInt(this.pricing.exactFeeSun(new BigNumber(1), own).toFixed(0));
  }
}
