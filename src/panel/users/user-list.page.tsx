import {
  CUSTOMER_ORDERS,
  type CustomerOrder,
  type ListedCustomer,
} from '../../reporting/reports/customer-list.repository';
import { GetButton } from '../layout/buttons';
import { useMessages } from '../layout/current-visit';
import { type Column, ListTable } from '../layout/data-table';
import { Choice, Field } from '../layout/fields';
import type { PageOf } from '../layout/pager';
import { Badge, Instant, Trx } from '../layout/values';
import type { Messages } from '../messages/catalogues';
import { SIGN_UPS } from '../sign-ups/sign-up-list.page';

interface Props {
  readonly page: PageOf<ListedCustomer>;
  readonly prefix: string;
  readonly order: CustomerOrder;
  /** Sign-ups that wait for an operator. */
  readonly waiting: number;
}

export function UserListPage({ page, prefix, order, waiting }: Props) {
  const messages = useMessages('user');
  const signUps = useMessages('signUps');
  return (
    <>
      <div class="head">
        <h1>{messages.title}</h1>
        <GetButton action="/panel/operator/users/new" text={messages.newUser} />
      </div>
      <p class={waiting > 0 ? 'notice attention' : undefined}>
        <a href={SIGN_UPS}>{waiting > 0 ? signUps.waiting(waiting) : signUps.title}</a>
      </p>
      <form method="get" action="/panel/operator/users" class="inline" aria-label={messages.find}>
        <Field name="email" type="search" label={messages.search} value={prefix} />
        <Choice
          name="sort"
          label={messages.sortBy}
          value={order}
          options={CUSTOMER_ORDERS.map((value) => [value, messages.sorts[value]] as const)}
        />
        <button type="submit" class="secondary">
          {messages.find}
        </button>
      </form>
      <ListTable
        name={messages.title}
        page={page}
        columns={columns(messages)}
        empty={prefix === '' ? messages.empty : messages.noneFound}
        newestFirst={false}
      />
    </>
  );
}

function columns(messages: Messages['user']): Column<ListedCustomer>[] {
  return [
    {
      name: messages.email,
      heading: true,
      cell: ({ id, email }) => <a href={`/panel/operator/users/${id}`}>{email}</a>,
    },
    { name: messages.name, minor: true, cell: ({ name }) => name },
    {
      name: messages.state,
      cell: ({ disabled, operator }) => (
        <>
          <Badge tone={disabled ? 'bad' : 'good'}>{disabled ? messages.disabled : messages.active}</Badge>{' '}
          {operator && <Badge tone="quiet">{messages.operator}</Badge>}
        </>
      ),
    },
    {
      name: messages.balance,
      numeric: true,
      cell: ({ low, balanceSun }) => (
        <>
          {low && <Badge tone="busy">{messages.low}</Badge>} <Trx sun={balanceSun} />
        </>
      ),
    },
    { name: messages.held, minor: true, numeric: true, cell: (row) => <Trx sun={row.heldSun} /> },
    { name: messages.spend, numeric: true, cell: (row) => <Trx sun={row.spentSun} /> },
    { name: messages.lastOrder, cell: (row) => <Instant at={row.lastOrderAt} none={messages.never} /> },
  ];
}
