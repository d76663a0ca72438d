import type { ListedUser } from '../../users/user-list.repository';
import type { SignedInPageContext } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Field } from '../layout/fields';
import { Pager, type PageOf } from '../layout/pager';
import { Badge, Instant, Trx } from '../layout/values';
import { USER_MESSAGES, type UserMessages } from '../messages/user.messages';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly page: PageOf<ListedUser>;
  readonly prefix: string;
}

export function UserListPage({ pageContext, page, prefix }: Props) {
  const messages = USER_MESSAGES[pageContext.locale];
  return (
    <>
      <div class="head">
        <h1>{messages.title}</h1>
        <form method="get" action="/panel/operator/users/new">
          <button type="submit">{messages.newUser}</button>
        </form>
      </div>
      <form method="get" action="/panel/operator/users" class="inline" aria-label={messages.find}>
        <Field name="email" type="search" label={messages.search} value={prefix} />
        <button type="submit" class="secondary">
          {messages.find}
        </button>
      </form>
      <DataTable
        pageContext={pageContext}
        name={messages.title}
        rows={page.rows}
        columns={columns(messages)}
        empty={<p>{prefix === '' ? messages.empty : messages.noneFound}</p>}
      />
      <Pager pageContext={pageContext} next={page.next} newestFirst={false} />
    </>
  );
}

function columns(messages: UserMessages): Column<ListedUser>[] {
  return [
    {
      name: messages.email,
      heading: true,
      cell: ({ id, email }) => <a href={`/panel/operator/users/${id}`}>{email}</a>,
    },
    { name: messages.name, cell: ({ name }) => name },
    { name: messages.role, cell: ({ operator }) => (operator ? messages.operator : messages.user) },
    {
      name: messages.state,
      cell: ({ disabled }) => (
        <Badge tone={disabled ? 'bad' : 'good'}>{disabled ? messages.disabled : messages.active}</Badge>
      ),
    },
    { name: messages.balance, numeric: true, cell: (row) => <Trx sun={row.balanceSun} /> },
    { name: messages.held, numeric: true, cell: (row) => <Trx sun={row.heldSun} /> },
    { name: messages.created, minor: true, cell: (row) => <Instant at={row.createdAt} /> },
  ];
}
