import { Body, Get, Post, Query } from '@nestjs/common';
import { BalanceService } from '../../balance/balance.service';
import { parseTrx } from '../../common/money/sun';
import { UserService } from '../../users/user.service';
import { type Form, textOf } from '../http/form';
import { CurrentPageContext, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import type { FormProblem } from '../layout/form-problem';
import { BalancePage } from './balance.page';
import { LedgerDownloads } from './ledger-downloads';
import { MoneyPages } from './money-pages';
import { SubscriptionPage } from './subscription.page';

@PanelController('', 'user')
export class BalanceController {
  constructor(
    private readonly balances: BalanceService,
    private readonly downloads: LedgerDownloads,
    private readonly pages: MoneyPages,
    private readonly users: UserService,
  ) {}

  @Get('balance')
  show(@CurrentPageContext() pageContext: SignedInPageContext, @Query() query: Form): Promise<Reply> {
    return this.balancePage(pageContext, query);
  }

  /** Its user's own matter; no money moves. */
  @Post('balance/low-balance')
  async setLowBalance(@CurrentPageContext() pageContext: SignedInPageContext, @Body() form: Form): Promise<Reply> {
    const messages = pageContext.messages.money;
    const typed = textOf(form, 'low_balance');
    const lowBalanceSun = typed === '' ? null : parseTrx(typed);
    if (typed !== '' && lowBalanceSun === null) {
      const problem = { field: 'low_balance', text: messages.badLowBalance };
      return this.balancePage(pageContext, {}, { typed, problem });
    }
    await this.users.update(pageContext.user.email, { lowBalanceSun });
    return new SeeOther('/panel/balance', { kind: 'done', text: messages.lowBalanceSet });
  }

  private async balancePage(
    pageContext: SignedInPageContext,
    query: Form,
    refused?: { readonly typed: string; readonly problem: FormProblem },
  ): Promise<Page> {
    const [balance, holds, ledger] = await Promise.all([
      this.balances.getBalance(pageContext.user.id),
      this.pages.holds(pageContext.user.id, query),
      this.pages.ledger(pageContext, pageContext.user.id, query),
    ]);
    const page = <BalancePage balance={balance} holds={holds} ledger={ledger} {...refused} />;
    return new Page(pageContext.messages.money.title, page, refused ? 422 : 200);
  }

  @Get('balance/ledger.csv')
  download(@CurrentPageContext() pageContext: SignedInPageContext, @Query() query: Form): Reply {
    return this.downloads.file(pageContext, pageContext.user.id, query);
  }

  @Get('subscriptions')
  async subscriptions(@CurrentPageContext() pageContext: SignedInPageContext, @Query() query: Form): Promise<Reply> {
    const page = await this.pages.subscriptions(pageContext.user.id, query, 'after');
    return new Page(pageContext.messages.money.subscriptions, <SubscriptionPage page={page} />);
  }
}
