import { Get, Param, Post, Query } from '@nestjs/common';
import { Readable } from 'node:stream';
import { validate as isUuid } from 'uuid';
import { OrderLookup } from '../../delegation/lookup/order-lookup';
import { OrderHistories } from '../../delegation/order-histories';
import { ReceiptLookup } from '../../delegation/lookup/receipt-lookup';
import { ReceiptShares, type Sharing } from '../../delegation/lookup/receipt-shares';
import { PanelAddress } from '../../common/http/panel-address';
import { OrderReport } from '../../reporting/reports/order-report';
import { lastDays, rangeName } from '../dates/date-range';
import { OrderFigures } from '../../reporting/books/order-figures';
import type { Form } from '../http/form';
import { ActLimits } from '../http/act-limit';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { existing, PanelError } from '../http/panel-errors';
import { Download, Export, Page, type Reply, SeeOther } from '../http/reply';
import { cutPage } from '../layout/pager';
import { BlockExplorer } from './block-explorer';
import { historyPage } from './history-page';
import { OrderListPage } from './order-list.page';
import { isOpen } from './order-progress';
import { orderCsv } from './order.csv';
import { hasProblem, listed, readOrderFilter } from './order.filter';
import { OrderPage } from './order.page';

const JSON_TYPE = 'application/json; charset=utf-8';
/** For so long a refused attempt is mentioned above the list. */
const REFUSED_DAYS = 7;

@PanelController('orders', 'user')
export class OrderController {
  constructor(
    private readonly lookup: OrderLookup,
    private readonly figures: OrderFigures,
    private readonly histories: OrderHistories,
    private readonly receipts: ReceiptLookup,
    private readonly shares: ReceiptShares,
    private readonly address: PanelAddress,
    private readonly reports: OrderReport,
    private readonly explorer: BlockExplorer,
    private readonly actLimits: ActLimits,
  ) {}

  @Get()
  async list(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const filter = readOrderFilter(visit, query, visit.user.id);
    const [explorer, refused] = await Promise.all([
      this.explorer.transactionUrl(),
      this.reports.refusedByDay(lastDays(REFUSED_DAYS), visit.user.id),
    ]);
    const { found, totals, sort } = await listed(this.lookup, this.figures, filter);
    const page = cutPage(found, ({ id }) => id);
    const lately = [...refused.values()].reduce((sum, attempts) => sum + attempts, 0n);
    const content = <OrderListPage {...{ page, totals, sort, filter, explorer }} operating={false} refused={lately} />;
    return new Page(visit.messages.order.title, content);
  }

  @Get('orders.csv')
  download(@ThisVisit() visit: UserVisit, @Query() query: Form): Reply {
    const filter = readOrderFilter(visit, query, visit.user.id);
    if (hasProblem(filter)) throw new PanelError('not-found');
    return new Export(`orders${rangeName(filter.asked)}.csv`, orderCsv(this.lookup, filter.query, false));
  }

  @Get(':id')
  async show(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Query() query: Form): Promise<Reply> {
    const order = existing(isUuid(id) ? await this.lookup.find(id, { userId: visit.user.id }) : null);
    const scope = { userId: visit.user.id };
    const [history, explorer, receipt, key] = await Promise.all([
      historyPage(this.histories, id, query),
      this.explorer.transactionUrl(),
      isOpen(order) ? null : this.receipts.find(id, scope),
      this.shares.keyOf(id, visit.user.id),
    ]);
    const sharedAt = key && `${this.address.baseUrl()}/r/${key}`;
    const shown = { order, history, explorer, sharedAt, receiptPath: receipt && `/panel/orders/${id}/receipt` };
    return new Page(visit.messages.order.order, <OrderPage {...shown} operating={false} />);
  }

  /** What the route of the API answers, as a file. */
  @Get(':id/receipt')
  async receipt(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const data = existing(isUuid(id) ? await this.receipts.find(id, { userId: visit.user.id }) : null);
    const text = JSON.stringify({ success: true, data });
    return new Download(`receipt-${data.txid.slice(0, 16)}.json`, JSON_TYPE, Readable.from([text]));
  }

  @Post(':id/receipt/share')
  async share(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    await this.shares.share(await this.sharing(visit, id));
    return SeeOther.done(`/panel/orders/${id}`, visit.messages.order.shared);
  }

  /** A receipt that is not shared stays as it is. */
  @Post(':id/receipt/withdraw')
  async withdraw(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    await this.shares.withdraw(await this.sharing(visit, id));
    return SeeOther.done(`/panel/orders/${id}`, visit.messages.order.withdrawn);
  }

  /** An order of the reader, who may do so many times an hour what leaves an entry in the audit log. */
  private async sharing(visit: UserVisit, id: string): Promise<Sharing> {
    existing(isUuid(id) ? await this.lookup.find(id, { userId: visit.user.id }) : null);
    await this.actLimits.take('receipts', visit.user.id);
    return { by: operatorOf(visit), user: visit.user, orderId: id };
  }
}
