import { Get, Query } from '@nestjs/common';
import { BalanceService } from '../../balance/balance.service';
import { LedgerService } from '../../balance/ledger.service';
import { type Form, textOf } from '../http/form';
import { CurrentPageContext, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { Download, Page, type Reply } from '../http/reply';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { BalancePage } from './balance.page';
import { ledgerPage } from './ledger-page';
import { ledgerCsv } from './ledger.csv';
import { MoneyQueries } from './money.queries';
import { SubscriptionPage } from './subscription.page';

@PanelController('', 'user')
export class BalanceController {
  constructor(
    private readonly balances: BalanceService,
    private readonly ledger: LedgerService,
    private readonly queries: MoneyQueries,
  ) {}

  @Get('balance')
  async show(@CurrentPageContext() pageContext: SignedInPageContext, @Query() query: Form): Promise<Reply> {
    const [balance, holds, ledger] = await Promise.all([
      this.balances.getBalance(pageContext.user.id),
      this.queries.holds(pageContext.user.id, textOf(query, 'holds')),
      ledgerPage(this.ledger, pageContext.user.id, textOf(query, 'ledger')),
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
    const page = await this.queries.subscriptions(pageContext.user.id, textOf(query, 'after'));
    return new Page(
      MONEY_MESSAGES[pageContext.locale].subscriptions,
      <SubscriptionPage pageContext={pageContext} page={page} />,
    );
  }
}
