import { Get, Param, Query } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { UserService } from '../../users/user.service';
import { DelegationLookup } from '../../delegation/lookup/order-lookup';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/page-context';
import { cutPage, PAGE_SIZE } from '../layout/pager';
import { BlockExplorer } from './block-explorer';
import { historyPage } from './history-page';
import { type OrderFilter, readOrderFilter } from './order.filter';
import { OrderListPage } from './order-list.page';
import { OrderPage } from './order.page';
import { ORDER_WORDS } from '../messages/order.messages';

@PanelController('operator/orders', 'operator')
export class AllOrdersController {
  constructor(
    private readonly lookup: DelegationLookup,
    private readonly users: UserService,
    private readonly explorer: BlockExplorer,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const filter = await this.withUser(readOrderFilter(query, undefined));
    const explorer = await this.explorer.transactionUrl();
    const found = filter.problem ? [] : await this.lookup.list({ ...filter.query, limit: PAGE_SIZE + 1 });
    const page = cutPage(found, ({ id }) => id);
    return new Page(
      ORDER_WORDS[visit.locale].allTitle,
      <OrderListPage visit={visit} page={page} filter={filter} explorer={explorer} operating />,
    );
  }

  @Get(':id')
  async show(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string, @Query() query: Form): Promise<Reply> {
    const order = isUuid(id) ? await this.lookup.find(id) : null;
    if (!order) throw new PanelError('not-found');
    const [history, explorer] = await Promise.all([
      historyPage(this.lookup, id, textOf(query, 'history')),
      this.explorer.transactionUrl(),
    ]);
    return new Page(
      ORDER_WORDS[visit.locale].order,
      <OrderPage visit={visit} order={order} history={history} explorer={explorer} operating />,
    );
  }

  private async withUser(filter: OrderFilter): Promise<OrderFilter> {
    if (filter.typed.user === '') return filter;
    const user = await this.users.find({ email: filter.typed.user.toLowerCase() });
    if (!user) return { ...filter, problem: { field: 'user', text: 'unknownUser' } };
    return { ...filter, query: { ...filter.query, userId: user.id } };
  }
}
