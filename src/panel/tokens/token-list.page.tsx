import type { ListedToken } from '../../auth/tokens/token-list.repository';
import { Badge, type Column, GetButton, Instant, ListTable, type PageOf, useMessages } from '../layout/components';
import type { Messages } from '../messages/catalogues';

const TONES = { live: 'good', expired: 'quiet', revoked: 'bad' } as const;

interface Props {
  readonly page: PageOf<ListedToken>;
}

export function TokenListPage({ page }: Props) {
  const messages = useMessages('token');
  return (
    <>
      <div class="head">
        <h1>{messages.title}</h1>
        <GetButton action="/panel/tokens/new" text={messages.newToken} />
      </div>
      <TokenTable page={page} path="/panel/tokens" empty={messages.empty} linked />
    </>
  );
}

interface TableProps {
  readonly page: PageOf<ListedToken>;
  /** The path before a token's id. */
  readonly path: string;
  readonly empty: string;
  /** Each leads to a page of its own. */
  readonly linked?: boolean;
}

export function TokenTable({ page, path, empty, linked = false }: TableProps) {
  const messages = useMessages('token');
  return <ListTable name={messages.title} page={page} columns={columns(messages, path, linked)} empty={empty} />;
}

function columns(messages: Messages['token'], path: string, linked: boolean): Column<ListedToken>[] {
  return [
    {
      name: messages.name,
      heading: true,
      cell: ({ id, name }) => (linked ? <a href={`${path}/${id}`}>{name}</a> : name),
    },
    { name: messages.permissions, cell: ({ permissions }) => <code>{permissions.join(', ')}</code> },
    { name: messages.prefix, minor: true, cell: ({ prefix }) => <code>{prefix}…</code> },
    { name: messages.state, cell: ({ state }) => <Badge tone={TONES[state]}>{messages[state]}</Badge> },
    { name: messages.actions, cell: (row) => <Actions row={row} path={path} /> },
    { name: messages.created, minor: true, cell: (row) => <Instant at={row.createdAt} /> },
    { name: messages.expiresAt, cell: (row) => <Instant at={row.expiresAt} none={messages.never} /> },
    { name: messages.lastUsed, cell: (row) => <Instant at={row.lastUsedAt} none={messages.never} /> },
  ];
}

function Actions({ row, path }: { row: ListedToken; path: string }) {
  const messages = useMessages('token');
  if (row.state === 'revoked') return null;
  return (
    <GetButton
      action={`${path}/${row.id}/revoke`}
      compact
      class="secondary outline"
      aria-label={messages.revokeOne(row.name)}
      text={messages.revoke}
    />
  );
}
