import { Get, Query } from '@nestjs/common';
import { LedgerExport } from '../../reporting/books/ledger-export';
import { TrialBalance } from '../../reporting/books/trial-balance';
import type { Form } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { Export, Page, type Reply } from '../http/reply';
import { ThisVisit, type UserVisit } from '../http/visit';
import { rangeOfMonth, readAskedMonth } from './asked-month';
import { BooksPage } from './books.page';

@PanelController('operator/books', 'operator')
export class BooksController {
  constructor(
    private readonly trialBalance: TrialBalance,
    private readonly ledger: LedgerExport,
  ) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const asked = readAskedMonth(query);
    const balance = asked.range && (await this.trialBalance.read(asked.range));
    return new Page(visit.messages.books.title, <BooksPage asked={asked} balance={balance} />);
  }

  @Get('ledger.csv')
  download(@Query() query: Form): Reply {
    const asked = readAskedMonth(query);
    return new Export(`ledger-${asked.month}.csv`, this.ledger.csv(rangeOfMonth(asked)));
  }
}
