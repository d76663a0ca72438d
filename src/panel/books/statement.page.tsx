import type { StatementLine, StatementView } from '../../reporting/books/account-statement';
import { MOST_LINES } from '../../reporting/books/account-statement';
import { addDays, dayOf } from '../dates/date-range';
import { DataTable, Facts, groupDigits, Trx, useMessages, useVisit } from '../layout/components';
import { shownReference } from '../money/reference';
import { type AskedMonth, MonthForm } from './asked-month';

interface Props {
  readonly customer: { readonly email: string; readonly name: string };
  readonly asked: AskedMonth;
  /** Null: no month that could be shown. */
  readonly statement: StatementView | null;
  readonly path: string;
}

/** One account's month, made to be printed: what leads elsewhere is left out on paper. */
export function StatementPage({ customer, asked, statement, path }: Props) {
  const messages = useMessages('books');
  const { siteName } = useVisit();
  return (
    <>
      <div class="head">
        <h1>{asked.range ? messages.statementOf(asked.month) : messages.statement}</h1>
        {statement && (
          <p class="buttons">
            <a href={`${path}.csv?month=${asked.month}`} download>
              {messages.csv}
            </a>
          </p>
        )}
      </div>
      <MonthForm asked={asked} path={path} />
      {statement && asked.range && (
        <>
          <p class="on-paper">{siteName}</p>
          <Facts
            facts={[
              [messages.customer, `${customer.name} (${customer.email})`],
              [messages.opening, <Trx key="opening" sun={statement.openingSun} />],
              [asked.isOpen ? messages.closingNow : messages.closing, <Trx key="closing" sun={statement.closingSun} />],
            ]}
          />
          <p>{messages.statementText(dayOf(asked.range.from), addDays(dayOf(asked.range.to), -1))}</p>
          <Sums statement={statement} />
          <Lines statement={statement} />
          <p class="buttons">
            <small>{messages.print}</small>
          </p>
        </>
      )}
    </>
  );
}

function Sums({ statement: { sums } }: { statement: StatementView }) {
  const messages = useMessages('books');
  const { kinds } = useMessages('money');
  if (sums.length === 0) return null;
  return (
    <>
      <h2>{messages.sums}</h2>
      <DataTable
        name={messages.sums}
        rows={sums}
        empty={null}
        columns={[
          { name: messages.kind, heading: true, cell: ({ kind }) => kinds[kind] },
          { name: messages.entries, numeric: true, cell: ({ entries }) => groupDigits(entries) },
          { name: messages.amount, numeric: true, cell: ({ sun }) => <Trx sun={sun} signed /> },
        ]}
      />
    </>
  );
}

function Lines({ statement: { lines, isCut } }: { statement: StatementView }) {
  const messages = useMessages('books');
  const { kinds } = useMessages('money');
  return (
    <>
      <DataTable
        name={messages.statement}
        rows={lines}
        empty={messages.noMovements}
        columns={[
          { name: messages.at, cell: utcTime },
          { name: messages.kind, cell: ({ kind }) => kinds[kind] },
          { name: messages.amount, numeric: true, cell: ({ amountSun }) => <Trx sun={amountSun} signed /> },
          {
            name: messages.note,
            cell: ({ kind, entries, note }) => (kind === 'charge' ? messages.charges(entries) : note),
          },
          { name: messages.reference, cell: ({ reference }) => shownReference(reference) },
        ]}
      />
      {isCut && <p>{messages.cut(MOST_LINES)}</p>}
    </>
  );
}

/** In UTC, as the days and sums of the page are: in another zone the last evening of a month reads as the next month. */
function utcTime({ at, kind }: Pick<StatementLine, 'at' | 'kind'>): string {
  return kind === 'charge' ? at.slice(0, 10) : at.slice(0, 19).replace('T', ' ');
}
