import { transactionsLiteral } from '../../billing/energy-amount';
import type { SignedInPageContext } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Pager, type PageOf } from '../layout/pager';
import { Badge, Instant } from '../layout/values';
import { MONEY_MESSAGES } from '../messages/money.messages';
import type { SubscriptionRow } from './money.queries';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly page: PageOf<SubscriptionRow>;
  readonly empty: string;
  /** What an operator may do with a row. */
  readonly extra?: Column<SubscriptionRow>;
  /** Its name on a page with other lists. */
  readonly list?: string;
}

const TONES = { valid: 'good', ended: 'quiet', usedUp: 'busy' } as const;

export function SubscriptionTable({ pageContext, page, empty, extra, list }: Props) {
  const messages = MONEY_MESSAGES[pageContext.locale];
  return (
    <>
      <DataTable
        pageContext={pageContext}
        name={messages.subscriptions}
        rows={page.rows}
        empty={<p>{empty}</p>}
        list={list}
        columns={[
          { name: messages.state, cell: ({ state }) => <Badge tone={TONES[state]}>{messages[state]}</Badge> },
          { name: messages.left, cell: (row) => <Left pageContext={pageContext} row={row} /> },
          { name: messages.used, numeric: true, cell: (row) => transactionsLiteral(row.used_energy) },
          { name: messages.held, numeric: true, cell: (row) => transactionsLiteral(row.held_energy) },
          { name: messages.quotaTotal, numeric: true, cell: (row) => transactionsLiteral(row.quota_energy) },
          { name: messages.from, cell: (row) => <Instant at={row.valid_from} /> },
          { name: messages.until, cell: (row) => <Instant at={row.valid_until} /> },
          ...(extra ? [extra] : []),
        ]}
      />
      <Pager pageContext={pageContext} next={page.next} list={list} />
    </>
  );
}

function Left({ pageContext, row }: { pageContext: SignedInPageContext; row: SubscriptionRow }) {
  const messages = MONEY_MESSAGES[pageContext.locale];
  const left = row.quota_energy - row.used_energy - row.held_energy;
  const text = messages.progress(transactionsLiteral(left), transactionsLiteral(row.quota_energy));
  return (
    <>
      <progress value={Number(left)} max={Number(row.quota_energy)} aria-label={text} />
      <small>{text}</small>
    </>
  );
}

export function subscriptionFacts(pageContext: SignedInPageContext, row: SubscriptionRow) {
  const messages = MONEY_MESSAGES[pageContext.locale];
  return [
    [messages.left, <Left key="left" pageContext={pageContext} row={row} />],
    [messages.held, transactionsLiteral(row.held_energy)],
    [messages.until, <Instant key="until" at={row.valid_until} />],
  ] as const;
}
