import { Get, Param, Query } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { DelegationLookup } from '../../delegation/lookup/order-lookup';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/page-context';
import { cutPage, PAGE_SIZE } from '../layout/pager';
import { BlockExplorer } from './block-explorer';
import { historyPage } from './history-page';
import { readOrderFilter } from './order.filter';
import { OrderListPage } from './order-list.page';
import { OrderPage } from './order.page';
import { ORDER_WORDS } from '../messages/order.messages';

@PanelController('orders', 'user')
export class OrderController {
  constructor(
    private readonly lookup: DelegationLookup,
    private readonly explorer: BlockExplorer,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const filter = readOrderFilter(query, visit.user.id);
    const explorer = await this.explorer.transactionUrl();
    const found = filter.problem ? [] : await this.lookup.list({ ...filter.query, limit: PAGE_SIZE + 1 });
    const page = cutPage(found, ({ id }) => id);
    return new Page(
      ORDER_WORDS[visit.locale].title,
      <OrderListPage visit={visit} page={page} filter={filter} explorer={explorer} operating={false} />,
    );
  }

  @Get(':id')
  async show(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string, @Query() query: Form): Promise<Reply> {
    const order = isUuid(id) ? await this.lookup.find(id, visit.user.id) : null;
    if (!order) throw new PanelError('not-found');
    const [history, explorer] = await Promise.all([
      historyPage(this.lookup, id, textOf(query, 'history')),
      this.explorer.transactionUrl(),
    ]);
    return new Page(
      ORDER_WORDS[visit.locale].order,
      <OrderPage visit={visit} order={order} history={history} explorer={explorer} operating={false} />,
    );
  }
}
