import type { LedgerEntryView, LedgerService } from '../../balance/ledger.service';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

export async function ledgerPage(
  ledger: LedgerService,
  userId: string,
  after: string,
): Promise<PageOf<LedgerEntryView>> {
  const beforeId = /^\d{1,18}$/.test(after) ? BigInt(after) : undefined;
  const found = await ledger.listEntries(userId, { limit: PAGE_SIZE + 1, beforeId });
  return cutPage(found, ({ id }) => id.toString());
}
