import { Get, Param, Query } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { OrderLookup } from '../../delegation/lookup/order-lookup';
import { OrderHistories } from '../../delegation/order-histories';
import { UserPreferencesRepository } from '../../users/user-preferences.repository';
import { UserService } from '../../users/user.service';
import { normaliseEmail } from '../../users/user.validation';
import { rangeName } from '../dates/date-range';
import { OrderFigures } from '../../reporting/books/order-figures';
import type { Form } from '../http/form';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { existing, PanelError } from '../http/panel-errors';
import { Export, Page, type Reply } from '../http/reply';
import { cutPage } from '../layout/pager';
import { BlockExplorer } from './block-explorer';
import { customerAnswer } from './customer-answer';
import { historyPage } from './history-page';
import { OrderListPage } from './order-list.page';
import { orderCsv } from './order.csv';
import { hasProblem, listed, type OrderFilter, readOrderFilter } from './order.filter';
import { OrderPage } from './order.page';

@PanelController('operator/orders', 'operator')
export class AllOrdersController {
  constructor(
    private readonly lookup: OrderLookup,
    private readonly figures: OrderFigures,
    private readonly histories: OrderHistories,
    private readonly users: UserService,
    private readonly preferences: UserPreferencesRepository,
    private readonly explorer: BlockExplorer,
  ) {}

  @Get()
  async list(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const filter = await this.withUser(readOrderFilter(visit, query));
    const explorer = await this.explorer.transactionUrl();
    const { found, totals, sort } = await listed(this.lookup, this.figures, filter);
    const page = cutPage(found, ({ id }) => id);
    return new Page(
      visit.messages.order.allTitle,
      <OrderListPage {...{ page, totals, sort, filter, explorer }} operating />,
    );
  }

  @Get('orders.csv')
  async download(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const filter = await this.withUser(readOrderFilter(visit, query));
    if (hasProblem(filter)) throw new PanelError('not-found');
    return new Export(`orders${rangeName(filter.asked)}.csv`, orderCsv(this.lookup, filter.query, true));
  }

  @Get(':id')
  async show(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Query() query: Form): Promise<Reply> {
    const order = existing(isUuid(id) ? await this.lookup.find(id) : null);
    const [history, explorer, preferences] = await Promise.all([
      historyPage(this.histories, id, query),
      this.explorer.transactionUrl(),
      this.preferences.find(order.user_id),
    ]);
    const answer = customerAnswer(order, existing(preferences), visit);
    const shown = { order, history, explorer, answer, receiptPath: null };
    return new Page(visit.messages.order.order, <OrderPage {...shown} operating />);
  }

  private async withUser(filter: OrderFilter): Promise<OrderFilter> {
    if (filter.typed.user === '') return filter;
    const user = await this.users.find({ email: normaliseEmail(filter.typed.user) });
    if (!user) return { ...filter, problem: { field: 'user', text: 'unknownUser' } };
    return { ...filter, query: { ...filter.query, userId: user.id } };
  }
}
