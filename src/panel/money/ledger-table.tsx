import { rangeQuery } from '../dates/date-range';
import { RangeForm } from '../dates/date-range.form';
import { Instant, ListTable, LongId, Trx, useMessages } from '../layout/components';
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
        <a href={`${path}/ledger.csv?${rangeQuery(ledger.asked)}`} download>
          {messages.download}
        </a>
      </div>
      <RangeForm asked={ledger.asked} action={path} all anchor="#ledger" />
      <ListTable
        name={messages.ledger}
        page={ledger}
        empty={ledger.asked.range === null ? empty : messages.noLedgerInRange}
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
