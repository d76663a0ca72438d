import type { LedgerEntryView, LedgerService } from '../../balance/ledger.service';
import { formatTrx } from '../../common/money/sun';
import { shownReference } from './reference';

const HEADING = 'id,time,kind,amount_trx,balance_trx,order,reference,note\r\n';
const BATCH = 1_000;

/** All of a user's ledger, newest first, streamed: a long one costs no memory. */
export async function* ledgerCsv(ledger: LedgerService, userId: string): AsyncGenerator<string> {
  // Excel takes a file without this mark for one in its own code page.
  yield `\uFEFF${HEADING}`;
  let beforeId: bigint | undefined;
  for (;;) {
    const entries = await ledger.listEntries(userId, { limit: BATCH, beforeId });
    if (entries.length === 0) return;
    yield entries.map(line).join('');
    beforeId = entries.at(-1)!.id;
  }
}

function line(entry: LedgerEntryView): string {
  const { id, at, kind, amountSun, balanceSun, delegationId, reference, note } = entry;
  const numbers = [id.toString(), at, kind, formatTrx(amountSun), formatTrx(balanceSun), delegationId ?? ''];
  return `${[...numbers, text(shownReference(reference)), text(note)].join(',')}\r\n`;
}

/** Free text: quoted, and never a formula in the spreadsheet that opens it. */
function text(value: string | null): string {
  if (value === null) return '';
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${inert.replaceAll('"', '""')}"`;
}
