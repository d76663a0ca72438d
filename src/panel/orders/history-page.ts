import type { OrderLookup, HistoryEntry } from '../../delegation/lookup/order-lookup';
import { type Form, numberOf } from '../http/form';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

export async function historyPage(lookup: OrderLookup, orderId: string, query: Form): Promise<PageOf<HistoryEntry>> {
  const found = await lookup.historyPage(orderId, { after: numberOf(query, 'history'), limit: PAGE_SIZE + 1 });
  return cutPage(found, ({ id }) => id.toString());
}
