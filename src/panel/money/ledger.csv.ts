import type { LedgerKind } from '../../balance/balance.entities';
import type { LedgerEntryView, LedgerService } from '../../balance/ledger.service';
import { formatTrx } from '../../common/money/sun';
import type { OrderFigures, OrderTarget } from '../../reporting/books/order-figures';
import { type CsvColumns, csvFile, csvText } from '../../common/csv';
import type { Moments } from '../dates/date-range';
import { shownReference } from './reference';

const COLUMNS: CsvColumns<LedgerEntryView & { readonly target: OrderTarget | undefined }> = [
  ['id', ({ id }) => id],
  ['time', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['amount_trx', ({ amountSun }) => formatTrx(amountSun)],
  ['balance_trx', ({ balanceSun }) => formatTrx(balanceSun)],
  ['order', ({ delegationId }) => delegationId],
  ['reference', ({ reference }) => csvText(shownReference(reference))],
  ['note', ({ note }) => csvText(note)],
  ['receiver', ({ target }) => target?.receiver],
  ['txid', ({ target }) => target?.txid],
];
const BATCH = 1_000;

/** A user's ledger, all of it or a range, newest first. */
export async function* ledgerCsv(
  ledger: LedgerService,
  orders: OrderFigures,
  userId: string,
  { kind, ...moments }: Moments & { readonly kind: LedgerKind | null },
): AsyncGenerator<string> {
  const ids = await ledger.idsBetween(userId, moments);
  yield* csvFile(COLUMNS, async (last) => {
    const entries = await ledger.listEntries(userId, { limit: BATCH, beforeId: last?.id, ids, kind, ...moments });
    const targets = await orders.targets(entries.flatMap(({ delegationId }) => delegationId ?? []));
    return entries.map((entry) => ({ ...entry, target: targets.get(entry.delegationId ?? '') }));
  });
}
