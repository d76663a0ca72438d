import { transactionsLiteral } from '../../billing/energy-amount';
import type { SignedInVisit } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Pager, type PageOf } from '../layout/pager';
import { Badge, Instant } from '../layout/values';
import type { SubscriptionRow } from './money.queries';
import { MONEY_WORDS } from '../messages/money.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly page: PageOf<SubscriptionRow>;
  readonly empty: string;
  /** What an operator may do with a row. */
  readonly extra?: Column<SubscriptionRow>;
  /** Its name on a page with other lists. */
  readonly list?: string;
}

const TONES = { valid: 'good', ended: 'quiet', usedUp: 'busy' } as const;

export function SubscriptionTable({ visit, page, empty, extra, list }: Props) {
  const words = MONEY_WORDS[visit.locale];
  return (
    <>
      <DataTable
        visit={visit}
        name={words.subscriptions}
        rows={page.rows}
        empty={<p>{empty}</p>}
        list={list}
        columns={[
          { name: words.state, cell: ({ state }) => <Badge tone={TONES[state]}>{words[state]}</Badge> },
          { name: words.left, cell: (row) => <Left visit={visit} row={row} /> },
          { name: words.used, numeric: true, cell: (row) => transactionsLiteral(row.used_energy) },
          { name: words.held, numeric: true, cell: (row) => transactionsLiteral(row.held_energy) },
          { name: words.quotaTotal, numeric: true, cell: (row) => transactionsLiteral(row.quota_energy) },
          { name: words.from, cell: (row) => <Instant at={row.valid_from} /> },
          { name: words.until, cell: (row) => <Instant at={row.valid_until} /> },
          ...(extra ? [extra] : []),
        ]}
      />
      <Pager visit={visit} next={page.next} list={list} />
    </>
  );
}

function Left({ visit, row }: { visit: SignedInVisit; row: SubscriptionRow }) {
  const words = MONEY_WORDS[visit.locale];
  const left = row.quota_energy - row.used_energy - row.held_energy;
  const text = words.progress(transactionsLiteral(left), transactionsLiteral(row.quota_energy));
  return (
    <>
      <progress value={Number(left)} max={Number(row.quota_energy)} aria-label={text} />
      <small>{text}</small>
    </>
  );
}

export function subscriptionFacts(visit: SignedInVisit, row: SubscriptionRow) {
  const words = MONEY_WORDS[visit.locale];
  return [
    [words.left, <Left key="left" visit={visit} row={row} />],
    [words.held, transactionsLiteral(row.held_energy)],
    [words.until, <Instant key="until" at={row.valid_until} />],
  ] as const;
}
