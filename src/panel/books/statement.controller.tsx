import { Get, Injectable, Query } from '@nestjs/common';
import { AccountStatement } from '../../reporting/books/account-statement';
import type { UserRecord } from '../../users/user.service';
import type { Form } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { Export, Page, type Reply } from '../http/reply';
import { ThisVisit, type UserVisit } from '../http/visit';
import { UserById, userPath } from '../users/user-by-id.pipe';
import { rangeOfMonth, readAskedMonth } from './asked-month';
import { StatementPage } from './statement.page';

type Customer = Pick<UserRecord, 'id' | 'email' | 'name'>;

/** One account's month, for its user and for operators. */
@Injectable()
export class StatementPages {
  constructor(private readonly statements: AccountStatement) {}

  async page({ messages }: UserVisit, customer: Customer, query: Form, path: string): Promise<Reply> {
    const asked = readAskedMonth(query);
    const statement = asked.range && (await this.statements.read(customer.id, asked.range));
    return new Page(messages.books.statement, <StatementPage {...{ customer, asked, statement, path }} />);
  }

  file(customer: Customer, query: Form): Reply {
    const asked = readAskedMonth(query);
    return new Export(`statement-${asked.month}.csv`, this.statements.csv(customer.id, rangeOfMonth(asked)));
  }
}

@PanelController('balance', 'user')
export class StatementController {
  constructor(private readonly pages: StatementPages) {}

  @Get('statement')
  show(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    return this.pages.page(visit, visit.user, query, '/panel/balance/statement');
  }

  @Get('statement.csv')
  download(@ThisVisit() visit: UserVisit, @Query() query: Form): Reply {
    return this.pages.file(visit.user, query);
  }
}

@PanelController('operator/users/:id', 'operator')
export class UserStatementController {
  constructor(private readonly pages: StatementPages) {}

  @Get('statement')
  show(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord, @Query() query: Form): Promise<Reply> {
    return this.pages.page(visit, user, query, `${userPath(user)}/statement`);
  }

  @Get('statement.csv')
  download(@UserById() user: UserRecord, @Query() query: Form): Reply {
    return this.pages.file(user, query);
  }
}
