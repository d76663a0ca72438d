import type { OrderView } from '../../delegation/lookup/order-lookup';
import type { OrderSort } from '../../common/order-sorts';
import { MOST_SUMMED, type OrderTotals } from '../../reporting/books/order-figures';
import { useVisit, useMessages } from '../layout/current-visit';
import { type Column, DataTable, type Sort } from '../layout/data-table';
import { Live } from '../layout/live';
import { LongId } from '../layout/long-id';
import { fromTheFirstPage, Pager, type PageOf, wholeList } from '../layout/pager';
import { groupDigits, Instant, shortTrx, Trx } from '../layout/values';
import type { Messages } from '../messages/catalogues';
import { FAILURES_PATH, REFUSED_PATH } from '../refusals/refused-attempt.page';
import { OrderFilterForm } from './order-filter.form';
import { isFree, isOpen } from './order-progress';
import { ListedState, TransactionLink } from './order-values';
import { UserLink } from '../users/user-link';
import { isRankable, type OrderFilter } from './order.filter';

interface Props {
  readonly page: PageOf<OrderView>;
  readonly totals: OrderTotals | null;
  /** How the page is sorted. */
  readonly sort: OrderSort;
  readonly filter: OrderFilter;
  readonly explorer: string | null;
  /** All users' orders, with wallet and errors. */
  readonly operating: boolean;
  /** Attempts of the last seven days that never became an order. */
  readonly refused?: bigint;
}

export function OrderListPage({ page, totals, sort, filter, explorer, operating, refused = 0n }: Props) {
  const { url } = useVisit();
  const refusals = useMessages('refusal');
  const messages = useMessages('order');
  const path = operating ? '/panel/operator/orders' : '/panel/orders';
  const to = (wanted: OrderSort) => fromTheFirstPage(url, { sort: wanted === 'newest' ? null : wanted });
  const ranked = (by: OrderSort): Sort | undefined =>
    totals && isRankable(totals) ? { href: to(by), now: sort === by ? 'descending' : null } : undefined;
  const sorts: Sorts = {
    ordered: {
      href: to(sort === 'newest' ? 'oldest' : 'newest'),
      now: sort === 'newest' ? 'descending' : sort === 'oldest' ? 'ascending' : null,
    },
    energy: ranked('energy'),
    price: ranked('price'),
  };
  const unfiltered = operating ? messages.emptyAll : messages.empty;
  return (
    <>
      <div class="head">
        <h1>{operating ? messages.allTitle : messages.title}</h1>
        <p class="buttons">
          <a href={wholeList(url, `${path}/orders.csv`)} download>
            {useMessages('money').download}
          </a>
          {!operating && <a href={FAILURES_PATH}>{refusals.allTitle}</a>}
        </p>
      </div>
      {refused > 0n && <RefusedNotice refused={refused} />}
      <OrderFilterForm path={path} filter={filter} operating={operating} />
      <Live id="orders" seconds={10}>
        <Totals totals={totals} />
        <DataTable
          name={operating ? messages.allTitle : messages.title}
          rows={page.rows}
          columns={columns(messages, path, explorer, operating, sorts)}
          empty={filter.active ? messages.noneFound : unfiltered}
          rowId={({ id }) => `order-${id}`}
        />
        <Pager page={page} newestFirst={sort === 'newest'} csv />
      </Live>
    </>
  );
}

/** Of the range and the filter: nothing where there is nothing. */
function Totals({ totals }: Pick<Props, 'totals'>) {
  const messages = useMessages('order');
  if (totals === null || totals.orders === 0) return null;
  const { orders, chargedSun, energy } = totals;
  return (
    <p class="caption">
      {orders > MOST_SUMMED
        ? messages.moreThan(groupDigits(MOST_SUMMED))
        : messages.totals(groupDigits(orders), shortTrx(chargedSun), groupDigits(energy))}
    </p>
  );
}

function RefusedNotice({ refused }: { refused: bigint }) {
  const messages = useMessages('refusal');
  return (
    <p class="notice attention">
      {messages.recently(groupDigits(refused))} {messages.notCharged} <a href={REFUSED_PATH}>{messages.see}</a>
    </p>
  );
}

/** The links in the heads of columns. Undefined: more orders are found than are sorted. */
type Sorts = Readonly<Record<'ordered' | 'energy' | 'price', Sort | undefined>>;

function columns(
  messages: Messages['order'],
  path: string,
  explorer: string | null,
  operating: boolean,
  sorts: Sorts,
): Column<OrderView>[] {
  return [
    {
      name: messages.ordered,
      heading: true,
      sort: sorts.ordered,
      cell: ({ id, created_at: at }) => (
        <a href={`${path}/${id}`}>
          <Instant at={at} />
        </a>
      ),
    },
    { name: messages.state, cell: (order) => <ListedState order={order} /> },
    ...(operating ? [{ name: messages.user, wide: true, cell: (order: OrderView) => <UserLink user={order} /> }] : []),
    { name: messages.receiver, cell: ({ receiver }) => <LongId value={receiver} href={ordersTo(path, receiver)} /> },
    { name: messages.energy, numeric: true, sort: sorts.energy, cell: ({ energy }) => groupDigits(energy) },
    { name: messages.price, numeric: true, sort: sorts.price, cell: (row) => <Price order={row} /> },
    { name: messages.energyBack, minor: true, cell: (row) => <EnergyBack order={row} /> },
    {
      name: messages.txid,
      minor: true,
      cell: (row) => <TransactionLink txid={row.txid} expected={isOpen(row)} explorer={explorer} short />,
    },
  ];
}

/** The orders of one receiver. */
export function ordersTo(path: string, receiver: string): string {
  return `${path}?${new URLSearchParams({ receiver }).toString()}`;
}

/** What quota paid for has no price of its own. */
function Price({ order }: { order: OrderView }) {
  const { payers } = useMessages('order');
  const isQuota = order.paid_by === 'subscription' && order.cost_sun === 0n && !isFree(order);
  return isQuota ? <>{payers.subscription}</> : <Trx sun={order.cost_sun} />;
}

/** When it came back, else when it is due. */
function EnergyBack({ order }: { order: OrderView }) {
  const messages = useMessages('order');
  if (order.reclaimed_at !== null) return <Instant at={order.reclaimed_at} />;
  if (order.reclaim_due_at === null) return <>–</>;
  return <span class="unbroken">{messages.dueAt(<Instant at={order.reclaim_due_at} />)}</span>;
}
