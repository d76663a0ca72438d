import type { OrderLookup, HistoryEntry } from '../../delegation/lookup/order-lookup';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

export async function historyPage(lookup: OrderLookup, orderId: string, after: string): Promise<PageOf<HistoryEntry>> {
  const afterId = /^\d{1,18}$/.test(after) ? BigInt(after) : null;
  const found = await lookup.historyPage(orderId, { after: afterId, limit: PAGE_SIZE + 1 });
  return cutPage(found, ({ id }) => id.toString());
}
