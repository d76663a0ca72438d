import { Get, Param, Query } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { OrderLookup } from '../../delegation/lookup/order-lookup';
import { type Form, textOf } from '../http/form';
import { CurrentPageContext, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply } from '../http/reply';
import { cutPage, PAGE_SIZE } from '../layout/pager';
import { ORDER_MESSAGES } from '../messages/order.messages';
import { BlockExplorer } from './block-explorer';
import { historyPage } from './history-page';
import { OrderListPage } from './order-list.page';
import { readOrderFilter } from './order.filter';
import { OrderPage } from './order.page';

@PanelController('orders', 'user')
export class OrderController {
  constructor(
    private readonly lookup: OrderLookup,
    private readonly explorer: BlockExplorer,
  ) {}

  @Get()
  async list(@CurrentPageContext() pageContext: SignedInPageContext, @Query() query: Form): Promise<Reply> {
    const filter = readOrderFilter(query, pageContext.user.id);
    const explorer = await this.explorer.transactionUrl();
    const found = filter.problem ? [] : await this.lookup.list({ ...filter.query, limit: PAGE_SIZE + 1 });
    const page = cutPage(found, ({ id }) => id);
    return new Page(
      ORDER_MESSAGES[pageContext.locale].title,
      <OrderListPage pageContext={pageContext} page={page} filter={filter} explorer={explorer} operating={false} />,
    );
  }

  @Get(':id')
  async show(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @Param('id') id: string,
    @Query() query: Form,
  ): Promise<Reply> {
    const order = isUuid(id) ? await this.lookup.find(id, { userId: pageContext.user.id }) : null;
    if (!order) throw new PanelError('not-found');
    const [history, explorer] = await Promise.all([
      historyPage(this.lookup, id, textOf(query, 'history')),
      this.explorer.transactionUrl(),
    ]);
    return new Page(
      ORDER_MESSAGES[pageContext.locale].order,
      <OrderPage pageContext={pageContext} order={order} history={history} explorer={explorer} operating={false} />,
    );
  }
}
