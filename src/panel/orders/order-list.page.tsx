import type { DelegationView } from '../../delegation/lookup/order-lookup';
import type { SignedInVisit } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Pager, type PageOf } from '../layout/pager';
import { groupDigits, Instant, Trx } from '../layout/values';
import { OrderFilterForm } from './order-filter.form';
import type { OrderFilter } from './order.filter';
import { isOpen } from './order-progress';
import { payerOf } from './order-outcome';
import { AnswerBadge, StateBadge, TransactionLink } from './order-values';
import { ORDER_WORDS } from '../messages/order.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly page: PageOf<DelegationView>;
  readonly filter: OrderFilter;
  readonly explorer: string | null;
  /** All users' orders, with how they are carried out. */
  readonly operating: boolean;
}

export function OrderListPage({ visit, page, filter, explorer, operating }: Props) {
  const words = ORDER_WORDS[visit.locale];
  const path = operating ? '/panel/operator/orders' : '/panel/orders';
  const unfiltered = operating ? words.emptyAll : words.empty;
  return (
    <>
      <h1>{operating ? words.allTitle : words.title}</h1>
      <OrderFilterForm path={path} filter={filter} words={words} operating={operating} />
      <DataTable
        visit={visit}
        name={operating ? words.allTitle : words.title}
        rows={page.rows}
        columns={columns(visit, path, explorer, operating)}
        empty={<p>{filter.active ? words.noneFound : unfiltered}</p>}
      />
      <Pager visit={visit} next={page.next} />
    </>
  );
}

function columns(
  visit: SignedInVisit,
  path: string,
  explorer: string | null,
  operating: boolean,
): Column<DelegationView>[] {
  const words = ORDER_WORDS[visit.locale];
  return [
    {
      name: words.ordered,
      heading: true,
      cell: ({ id, created_at: at }) => (
        <a href={`${path}/${id}`}>
          <Instant at={at} />
        </a>
      ),
    },
    { name: words.state, cell: (order) => <StateBadge order={order} visit={visit} /> },
    { name: words.answer, cell: (order) => <AnswerBadge order={order} visit={visit} /> },
    ...(operating ? [{ name: words.user, cell: ({ user }: DelegationView) => user }] : []),
    { name: words.receiver, cell: ({ receiver }) => <code>{receiver}</code> },
    { name: words.energy, numeric: true, cell: ({ energy }) => groupDigits(energy) },
    { name: words.price, numeric: true, cell: (row) => <Trx sun={row.cost_sun} /> },
    { name: words.paidBy, cell: (row) => payerOf(row, visit) },
    { name: words.due, cell: (row) => <Instant at={row.reclaim_due_at} /> },
    { name: words.reclaimed, cell: (row) => <Instant at={row.reclaimed_at} /> },
    {
      name: words.txid,
      cell: (row) => <TransactionLink txid={row.txid} expected={isOpen(row)} explorer={explorer} words={words} short />,
    },
  ];
}
