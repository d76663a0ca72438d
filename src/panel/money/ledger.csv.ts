import type { LedgerEntryView, LedgerService } from '../../balance/ledger.service';
import { formatTrx } from '../../common/money/sun';
import type { OrderLookup, OrderTarget } from '../../delegation/lookup/order-lookup';
import { csvHeading, csvLine, csvText } from '../csv/csv';
import type { Moments } from '../dates/date-range';
import { shownReference } from './reference';

const HEADING = [
  'id',
  'time',
  'kind',
  'amount_trx',
  'balance_trx',
  'order',
  'reference',
  'note',
  'receiver',
  'txid',
] as const;
const BATCH = 1_000;

/** A user's ledger, all of it or a range, newest first, streamed: a long one costs no memory. */
export async function* ledgerCsv(
  ledger: LedgerService,
  orders: OrderLookup,
  userId: string,
  moments: Moments,
): AsyncGenerator<string> {
  yield csvHeading(HEADING);
  const ids = await ledger.idsBetween(userId, moments);
  let beforeId: bigint | undefined;
  for (;;) {
    const entries = await ledger.listEntries(userId, { limit: BATCH, beforeId, ids, ...moments });
    if (entries.length === 0) return;
    const targets = await orders.targets(entries.flatMap(({ delegationId }) => delegationId ?? []));
    yield entries.map((entry) => line(entry, targets.get(entry.delegationId ?? ''))).join('');
    beforeId = entries.at(-1)!.id;
  }
}

function line(entry: LedgerEntryView, target: OrderTarget | undefined): string {
  const { id, at, kind, amountSun, balanceSun, delegationId, reference, note } = entry;
  return csvLine([
    id,
    at,
    kind,
    formatTrx(amountSun),
    formatTrx(balanceSun),
    delegationId,
    csvText(shownReference(reference)),
    csvText(note),
    target?.receiver ?? null,
    target?.txid ?? null,
  ]);
}
