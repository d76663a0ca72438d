import { transactionsLiteral } from '../../billing/energy-amount';
import type { ListedSubscription } from '../../billing/subscription-list.repository';
import { Badge, type Column, Instant, ListTable, type PageOf, useMessages } from '../layout/components';
import type { Messages } from '../messages/catalogues';

interface Props {
  readonly page: PageOf<ListedSubscription>;
  readonly empty: string;
  /** What an operator may do with a row. */
  readonly extra?: Column<ListedSubscription>;
  /** Its name on a page with other lists. */
  readonly list?: string;
}

const TONES = { valid: 'good', ended: 'quiet', usedUp: 'busy' } as const;

export function SubscriptionTable({ page, empty, extra, list }: Props) {
  const messages = useMessages('money');
  return (
    <ListTable
      name={messages.subscriptions}
      page={page}
      empty={empty}
      list={list}
      columns={[
        { name: messages.state, cell: ({ state }) => <Badge tone={TONES[state]}>{messages[state]}</Badge> },
        { name: messages.left, cell: (row) => <Left row={row} /> },
        { name: messages.used, minor: true, numeric: true, cell: (row) => transactionsLiteral(row.usedEnergy) },
        { name: messages.held, numeric: true, cell: (row) => transactionsLiteral(row.heldEnergy) },
        { name: messages.quotaTotal, numeric: true, cell: (row) => transactionsLiteral(row.quotaEnergy) },
        { name: messages.from, minor: true, cell: (row) => <Instant at={row.validFrom} /> },
        { name: messages.until, cell: (row) => <Instant at={row.validUntil} /> },
        ...(extra ? [extra] : []),
      ]}
    />
  );
}

function Left({ row }: { row: ListedSubscription }) {
  const messages = useMessages('money');
  const left = row.quotaEnergy - row.usedEnergy - row.heldEnergy;
  const text = messages.progress(transactionsLiteral(left), transactionsLiteral(row.quotaEnergy));
  return (
    <>
      <progress value={Number(left)} max={Number(row.quotaEnergy)} aria-label={text} />
      <small>{text}</small>
    </>
  );
}

export function subscriptionFacts(messages: Messages['money'], row: ListedSubscription) {
  return [
    [messages.left, <Left key="left" row={row} />],
    [messages.held, transactionsLiteral(row.heldEnergy)],
    [messages.until, <Instant key="until" at={row.validUntil} />],
  ] as const;
}

export function SubscriptionPage({ page }: { page: PageOf<ListedSubscription> }) {
  const messages = useMessages('money');
  return (
    <>
      <h1>{messages.subscriptions}</h1>
      <p>{messages.subscriptionText}</p>
      <SubscriptionTable page={page} empty={messages.noSubscriptions} />
    </>
  );
}
