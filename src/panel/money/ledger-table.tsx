import { LEDGER_KINDS } from '../../balance/balance.entities';
import { rangeQuery } from '../dates/date-range';
import { RangeForm } from '../dates/date-range.form';
import {
  Facts,
  groupDigits,
  Instant,
  ListTable,
  LongId,
  rowPlace,
  Trx,
  useMessages,
  useVisit,
} from '../layout/components';
import type { LedgerOfRange } from './money-pages';
import { shownReference } from './reference';

interface Props {
  readonly ledger: LedgerOfRange;
  readonly orderPath: string;
  readonly empty: string;
  /** Where its form leads to, and where its file is. */
  readonly path: string;
  readonly statementPath: string;
}

/** Newest first, each entry with the balance after it. */
export function LedgerTable({ ledger, orderPath, empty, path, statementPath }: Props) {
  const messages = useMessages('money');
  return (
    <>
      <div class="head">
        <h2 id="ledger">{messages.ledger}</h2>
        <a href={statementPath}>{useMessages('books').statements}</a>
        <a
          href={`${path}/ledger.csv?${rangeQuery(ledger.asked)}${ledger.kind === null ? '' : `&kind=${ledger.kind}`}`}
          download
        >
          {messages.download}
        </a>
      </div>
      <RangeForm asked={ledger.asked} action={path} all anchor="#ledger" />
      <Kinds ledger={ledger} />
      <Totals ledger={ledger} />
      <ListTable
        name={messages.ledger}
        page={ledger}
        empty={ledger.asked.range === null && ledger.kind === null ? empty : messages.noLedgerInRange}
        list="ledger"
        columns={[
          { name: messages.at, cell: ({ at }) => <Instant at={at} /> },
          { name: messages.kind, cell: ({ kind }) => messages.kinds[kind] },
          { name: messages.amount, numeric: true, cell: ({ amountSun }) => <Trx sun={amountSun} signed /> },
          { name: messages.running, numeric: true, cell: ({ balanceSun }) => <Trx sun={balanceSun} /> },
          {
            name: messages.order,
            cell: ({ delegationId }) =>
              delegationId && <LongId value={delegationId} href={`${orderPath}/${delegationId}`} />,
          },
          { name: messages.note, cell: ({ note }) => note },
          { name: messages.reference, minor: true, cell: ({ reference }) => shownReference(reference) },
        ]}
        csv
      />
    </>
  );
}

/** Each kind alone, of the same range, from its first page. */
function Kinds({ ledger: { kind: chosen } }: Pick<Props, 'ledger'>) {
  const { url } = useVisit();
  const messages = useMessages('money');
  const [path, search] = url.split('?') as [string, string?];
  const link = (kind: string | null) => {
    const query = new URLSearchParams(search);
    for (const name of ['kind', 'lang', 'ledger', rowPlace('ledger')]) query.delete(name);
    if (kind !== null) query.set('kind', kind);
    return `${path}?${query.toString()}#ledger`;
  };
  return (
    <nav class="presets" aria-label={messages.kind}>
      {[null, ...LEDGER_KINDS].map((kind) => (
        <a key={kind} href={link(kind)} aria-current={kind === chosen ? 'true' : undefined}>
          {kind === null ? messages.everyKind : messages.kinds[kind]}
        </a>
      ))}
    </nav>
  );
}

/** What a range begins and ends with, and what each kind moved between. */
function Totals({ ledger: { totals } }: Pick<Props, 'ledger'>) {
  const messages = useMessages('money');
  if (totals === null) return null;
  return (
    <Facts
      facts={[
        [messages.opening, <Trx key="opening" sun={totals.openingSun} />],
        ...totals.sums.map(
          ({ kind, entries, sun }) =>
            [`${messages.kinds[kind]} × ${groupDigits(entries)}`, <Trx key={kind} sun={sun} signed />] as const,
        ),
        [messages.closing, <Trx key="closing" sun={totals.closingSun} />],
      ]}
    />
  );
}
