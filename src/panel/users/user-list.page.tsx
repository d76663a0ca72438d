import type { SignedInVisit } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Field } from '../layout/fields';
import { Pager, type PageOf } from '../layout/pager';
import { Badge, Instant, Trx } from '../layout/values';
import type { UserRow } from './user.queries';
import { USER_WORDS, type UserWords } from '../messages/user.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly page: PageOf<UserRow>;
  readonly prefix: string;
}

export function UserListPage({ visit, page, prefix }: Props) {
  const words = USER_WORDS[visit.locale];
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        <form method="get" action="/panel/operator/users/new">
          <button type="submit">{words.newUser}</button>
        </form>
      </div>
      <form method="get" action="/panel/operator/users" class="inline" aria-label={words.find}>
        <Field name="email" type="search" label={words.search} value={prefix} />
        <button type="submit" class="secondary">
          {words.find}
        </button>
      </form>
      <DataTable
        visit={visit}
        name={words.title}
        rows={page.rows}
        columns={columns(words)}
        empty={<p>{prefix === '' ? words.empty : words.noneFound}</p>}
      />
      <Pager visit={visit} next={page.next} newestFirst={false} />
    </>
  );
}

function columns(words: UserWords): Column<UserRow>[] {
  return [
    {
      name: words.email,
      heading: true,
      cell: ({ id, email }) => <a href={`/panel/operator/users/${id}`}>{email}</a>,
    },
    { name: words.name, cell: ({ name }) => name },
    { name: words.role, cell: ({ operator }) => (operator ? words.operator : words.user) },
    {
      name: words.state,
      cell: ({ disabled }) => (
        <Badge tone={disabled ? 'bad' : 'good'}>{disabled ? words.disabled : words.active}</Badge>
      ),
    },
    { name: words.balance, numeric: true, cell: (row) => <Trx sun={row.balance_sun} /> },
    { name: words.held, numeric: true, cell: (row) => <Trx sun={row.held_sun} /> },
    { name: words.created, cell: (row) => <Instant at={row.created_at} /> },
  ];
}
