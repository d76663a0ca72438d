import {
  type CustomerOrder,
  type CustomerTotals,
  type ListedCustomer,
  MOST_RANKED,
} from '../../reporting/reports/customer-list.repository';
import { DRY_WITHIN_DAYS } from '../../reporting/reports/running-dry.sql';
import { GetButton } from '../layout/buttons';
import { useMessages } from '../layout/current-visit';
import { Clipped } from '../layout/folds';
import { type Column, ListTable, type Sort } from '../layout/data-table';
import type { PageOf } from '../layout/pager';
import { Badge, groupDigits, Instant, shortTrx, Trx } from '../layout/values';
import type { Messages } from '../messages/catalogues';
import { SIGN_UPS } from '../sign-ups/sign-up-list.page';
import { USERS_PATH } from './user-by-id.pipe';
import { UserLink } from './user-link';

const MOST_DAYS = 999n;

interface Props {
  readonly page: PageOf<ListedCustomer>;
  readonly prefix: string;
  /** By the link of a column. */
  readonly asked: CustomerOrder | null;
  readonly order: CustomerOrder;
  readonly totals: CustomerTotals;
  /** Sign-ups that wait for an operator. */
  readonly waiting: number;
}

export function UserListPage({ page, prefix, asked, order, totals, waiting }: Props) {
  const messages = useMessages('user');
  const signUps = useMessages('signUps');
  const sortOf: SortOf = (...orders) => {
    const at = orders.findIndex(([one]) => one === order);
    const [wanted] = orders[(at + 1) % orders.length]!;
    // What no index has in order would look at every user.
    if (totals.sums === null && wanted !== 'email') return undefined;
    const query = new URLSearchParams({ ...(prefix !== '' && { email: prefix }), sort: wanted });
    return { href: `${USERS_PATH}?${query.toString()}`, now: orders[at]?.[1] ?? null };
  };
  return (
    <>
      <div class="head">
        <h1>{messages.title}</h1>
        <form method="get" action={USERS_PATH} class="search" role="search" aria-label={messages.find}>
          {asked !== null && <input type="hidden" name="sort" value={asked} />}
          <input type="search" name="email" value={prefix} placeholder={messages.search} aria-label={messages.search} />
        </form>
        {waiting === 0 && <a href={SIGN_UPS}>{signUps.title}</a>}
        <GetButton action={`${USERS_PATH}/new`} text={messages.newUser} />
      </div>
      {waiting > 0 && (
        <p class="notice attention">
          <a href={SIGN_UPS}>{signUps.waiting(waiting)}</a>
        </p>
      )}
      <Totals totals={totals} />
      <ListTable
        name={messages.title}
        page={page}
        columns={columns(messages, sortOf)}
        empty={prefix === '' ? messages.empty : messages.noneFound}
        newestFirst={false}
      />
    </>
  );
}

function Totals({ totals: { users, sums } }: Pick<Props, 'totals'>) {
  const messages = useMessages('user');
  if (sums === null) return <p class="caption">{messages.moreThan(groupDigits(MOST_RANKED))}</p>;
  return (
    <p class="caption">{messages.totals(groupDigits(users), shortTrx(sums.balanceSun), shortTrx(sums.heldSun))}</p>
  );
}

/** One after the other, with each click. */
type SortOf = (...orders: (readonly [CustomerOrder, Sort['now']])[]) => Sort | undefined;

function columns(messages: Messages['user'], sortOf: SortOf): Column<ListedCustomer>[] {
  return [
    {
      name: messages.email,
      heading: true,
      wide: true,
      sort: sortOf(['email', 'ascending']),
      cell: ({ id, email }) => <UserLink user={{ user_id: id, user: email }} />,
    },
    { name: messages.name, minor: true, cell: ({ name }) => <Clipped text={name} short /> },
    {
      name: messages.state,
      cell: ({ disabled, operator }) => (
        <span class="unbroken">
          <Badge tone={disabled ? 'bad' : 'good'}>{disabled ? messages.disabled : messages.active}</Badge>{' '}
          {operator && <Badge tone="quiet">{messages.operator}</Badge>}
        </span>
      ),
    },
    {
      name: messages.balance,
      numeric: true,
      sort: sortOf(['poorest', 'ascending'], ['richest', 'descending']),
      cell: ({ low, balanceSun }) => (
        <span class="unbroken">
          {low && <Badge tone="busy">{messages.low}</Badge>} <Trx sun={balanceSun} />
        </span>
      ),
    },
    { name: messages.lasts, numeric: true, sort: sortOf(['need', 'ascending']), cell: (row) => <Lasts {...row} /> },
    {
      name: messages.spend,
      numeric: true,
      sort: sortOf(['spend', 'descending']),
      cell: (row) => <Trx sun={row.spentSun} />,
    },
    {
      name: messages.lastOrder,
      sort: sortOf(['last', 'descending']),
      cell: (row) => <Instant at={row.lastOrderAt} none={messages.never} />,
    },
  ];
}

/** The days until nothing is left, as the customer has spent in the last week. */
function Lasts({ balanceSun, heldSun, aDaySun, disabled }: ListedCustomer) {
  if (aDaySun === 0n) return <>–</>;
  const availableSun = balanceSun - heldSun;
  const tenths = availableSun > 0n ? (availableSun * 10n) / aDaySun : 0n;
  const days = tenths > MOST_DAYS * 10n ? `> ${MOST_DAYS}` : `${tenths / 10n}.${tenths % 10n}`;
  return runsDry(availableSun, aDaySun) && !disabled ? <Badge tone="bad">{days}</Badge> : <>{days}</>;
}

function runsDry(availableSun: bigint, aDaySun: bigint): boolean {
  return availableSun < aDaySun * BigInt(DRY_WITHIN_DAYS);
}
