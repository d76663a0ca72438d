import type { SignedInVisit } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Pager, type PageOf } from '../layout/pager';
import { Badge, Instant } from '../layout/values';
import type { TokenRow } from './token.queries';
import { TOKEN_WORDS } from '../messages/token.messages';

type Words = (typeof TOKEN_WORDS)['en'];

const TONES = { live: 'good', expired: 'quiet', revoked: 'bad' } as const;

export function TokenListPage({ visit, page }: { visit: SignedInVisit; page: PageOf<TokenRow> }) {
  const words = TOKEN_WORDS[visit.locale];
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        <form method="get" action="/panel/tokens/new">
          <button type="submit">{words.newToken}</button>
        </form>
      </div>
      <TokenTable visit={visit} page={page} path="/panel/tokens" empty={words.empty} linked />
    </>
  );
}

interface TableProps {
  readonly visit: SignedInVisit;
  readonly page: PageOf<TokenRow>;
  /** What stands before a token's id in its addresses. */
  readonly path: string;
  readonly empty: string;
  /** Each leads to a page of its own. */
  readonly linked?: boolean;
}

export function TokenTable({ visit, page, path, empty, linked = false }: TableProps) {
  const words = TOKEN_WORDS[visit.locale];
  return (
    <>
      <DataTable
        visit={visit}
        name={words.title}
        rows={page.rows}
        columns={columns(words, path, linked)}
        empty={<p>{empty}</p>}
      />
      <Pager visit={visit} next={page.next} />
    </>
  );
}

function columns(words: Words, path: string, linked: boolean): Column<TokenRow>[] {
  return [
    {
      name: words.name,
      heading: true,
      cell: ({ id, name }) => (linked ? <a href={`${path}/${id}`}>{name}</a> : name),
    },
    { name: words.permissions, cell: ({ permissions }) => <code>{permissions.join(', ')}</code> },
    { name: words.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
    { name: words.state, cell: ({ state }) => <Badge tone={TONES[state]}>{words[state]}</Badge> },
    { name: words.actions, cell: (row) => <Actions row={row} words={words} path={path} /> },
    { name: words.created, cell: (row) => <Instant at={row.created_at} /> },
    { name: words.expiresAt, cell: (row) => <Instant at={row.expires_at} none={words.never} /> },
    { name: words.lastUsed, cell: (row) => <Instant at={row.last_used_at} none={words.never} /> },
  ];
}

function Actions({ row, words, path }: { row: TokenRow; words: Words; path: string }) {
  if (row.state === 'revoked') return null;
  return (
    <form method="get" action={`${path}/${row.id}/revoke`} class="compact">
      <button type="submit" class="secondary outline" aria-label={words.revokeOne(row.name)}>
        {words.revoke}
      </button>
    </form>
  );
}
