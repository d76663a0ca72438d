import { Body, Get, Post, Query } from '@nestjs/common';
import { BalanceService } from '../../balance/balance.service';
import { parseTrx } from '../../common/money/sun';
import { MailOutbox } from '../../mail/mail-outbox';
import { UserService } from '../../users/user.service';
import { type Form, textOf } from '../http/form';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import type { FormProblem } from '../layout/form-problem';
import { BalancePage } from './balance.page';
import { MoneyPages } from './money-pages';
import { SubscriptionPage } from './subscription-table';

@PanelController('', 'user')
export class BalanceController {
  constructor(
    private readonly balances: BalanceService,
    private readonly pages: MoneyPages,
    private readonly users: UserService,
    private readonly outbox: MailOutbox,
  ) {}

  @Get('balance')
  show(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    return this.balancePage(visit, query);
  }

  /** Its user's own matter; no money moves. */
  @Post('balance/low-balance')
  async setLowBalance(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.money;
    const typed = textOf(form, 'low_balance');
    const lowBalanceSun = typed === '' ? null : parseTrx(typed);
    if (typed !== '' && lowBalanceSun === null) {
      const problem = { field: 'low_balance', text: messages.badLowBalance };
      return this.balancePage(visit, {}, { typed, problem });
    }
    await this.users.update(visit.user.email, { lowBalanceSun });
    return SeeOther.done('/panel/balance', messages.lowBalanceSet);
  }

  private async balancePage(
    visit: UserVisit,
    query: Form,
    refused?: { readonly typed: string; readonly problem: FormProblem },
  ): Promise<Page> {
    const [balance, holds, ledger] = await Promise.all([
      this.balances.getBalance(visit.user.id),
      this.pages.holds(visit.user.id, query),
      this.pages.ledger(visit, visit.user.id, query),
    ]);
    const page = <BalancePage {...{ balance, holds, ledger }} mail={this.outbox.isOpen} {...refused} />;
    return new Page(visit.messages.money.title, page, refused ? 422 : 200);
  }

  @Get('balance/ledger.csv')
  download(@ThisVisit() visit: UserVisit, @Query() query: Form): Reply {
    return this.pages.ledgerFile(visit, visit.user.id, query);
  }

  @Get('subscriptions')
  async subscriptions(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const page = await this.pages.subscriptions(visit.user.id, query, 'after');
    return new Page(visit.messages.money.subscriptions, <SubscriptionPage page={page} />);
  }
}
