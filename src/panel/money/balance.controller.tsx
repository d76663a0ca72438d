import { Get, Query } from '@nestjs/common';
import { BalanceService } from '../../balance/balance.service';
import { LedgerService } from '../../balance/ledger.service';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { Download, Page, type Reply } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/page-context';
import { BalancePage } from './balance.page';
import { ledgerCsv } from './ledger.csv';
import { ledgerPage } from './ledger-page';
import { MoneyQueries } from './money.queries';
import { MONEY_WORDS } from '../messages/money.messages';
import { SubscriptionPage } from './subscription.page';

@PanelController('', 'user')
export class BalanceController {
  constructor(
    private readonly balances: BalanceService,
    private readonly ledger: LedgerService,
    private readonly queries: MoneyQueries,
  ) {}

  @Get('balance')
  async show(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const [balance, holds, ledger] = await Promise.all([
      this.balances.getBalance(visit.user.id),
      this.queries.holds(visit.user.id, textOf(query, 'holds')),
      ledgerPage(this.ledger, visit.user.id, textOf(query, 'ledger')),
    ]);
    const page = <BalancePage visit={visit} balance={balance} holds={holds} ledger={ledger} />;
    return new Page(MONEY_WORDS[visit.locale].title, page);
  }

  @Get('balance/ledger.csv')
  download(@CurrentVisit() { user }: SignedInVisit): Reply {
    return new Download('ledger.csv', 'text/csv; charset=utf-8', ledgerCsv(this.ledger, user.id));
  }

  @Get('subscriptions')
  async subscriptions(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const page = await this.queries.subscriptions(visit.user.id, textOf(query, 'after'));
    return new Page(MONEY_WORDS[visit.locale].subscriptions, <SubscriptionPage visit={visit} page={page} />);
  }
}
