import { Get, Query } from '@nestjs/common';
import { BalanceService } from '../../balance/balance.service';
import { LedgerService } from '../../balance/ledger.service';
import type { Form } from '../http/form';
import { CurrentPageContext, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { Download, Page, type Reply } from '../http/reply';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { BalancePage } from './balance.page';
import { ledgerCsv } from './ledger.csv';
import { MoneyPages } from './money-pages';
import { SubscriptionPage } from './subscription.page';

@PanelController('', 'user')
export class BalanceController {
  constructor(
    private readonly balances: BalanceService,
    private readonly ledger: LedgerService,
    private readonly pages: MoneyPages,
  ) {}

  @Get('balance')
  async show(@CurrentPageContext() pageContext: SignedInPageContext, @Query() query: Form): Promise<Reply> {
    const [balance, holds, ledger] = await Promise.all([
      this.balances.getBalance(pageContext.user.id),
      this.pages.holds(pageContext.user.id, query),
      this.pages.ledger(pageContext.user.id, query),
    ]);
    const page = <BalancePage pageContext={pageContext} balance={balance} holds={holds} ledger={ledger} />;
    return new Page(MONEY_MESSAGES[pageContext.locale].title, page);
  }

  @Get('balance/ledger.csv')
  download(@CurrentPageContext() { user }: SignedInPageContext): Reply {
    return new Download('ledger.csv', 'text/csv; charset=utf-8', ledgerCsv(this.ledger, user.id));
  }

  @Get('subscriptions')
  async subscriptions(@CurrentPageContext() pageContext: SignedInPageContext, @Query() query: Form): Promise<Reply> {
    const page = await this.pages.subscriptions(pageContext.user.id, query, 'after');
    return new Page(
      MONEY_MESSAGES[pageContext.locale].subscriptions,
      <SubscriptionPage pageContext={pageContext} page={page} />,
    );
  }
}
