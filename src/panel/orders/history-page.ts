import type { HistoryEntry, OrderHistories } from '../../delegation/order-histories';
import { type Form, numberOf } from '../http/form';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

export async function historyPage(
  histories: OrderHistories,
  orderId: string,
  query: Form,
): Promise<PageOf<HistoryEntry>> {
  const found = await histories.historyPage(orderId, { after: numberOf(query, 'history'), limit: PAGE_SIZE + 1 });
  return cutPage(found, ({ id }) => id.toString());
}
