import { type FindingText, type FindingTexts, textsOf } from '../../findings/finding-text';
import type { FindingRow } from '../../findings/finding.statements';
import type { WholeCheckView } from '../../reconciliation/whole-check/whole-check.repository';
import type { SignedInPageContext } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Live } from '../layout/live';
import { Pager, type PageOf } from '../layout/pager';
import { PostForm } from '../layout/post-form';
import { Badge, Instant } from '../layout/values';
import { OPERATOR_MESSAGES, type OperatorMessages } from '../messages/operator.messages';
import { LastWholeCheck } from './whole-check';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly page: PageOf<FindingRow>;
  readonly resolvedToo: boolean;
  readonly succeededAt: Date | null;
  readonly check: WholeCheckView | null;
}

const PATH = '/panel/operator/findings';

export function FindingPage({ pageContext, page, resolvedToo, succeededAt, check }: Props) {
  const messages = OPERATOR_MESSAGES[pageContext.locale];
  return (
    <>
      <div class="head">
        <h1>{messages.findings}</h1>
        <PostForm pageContext={pageContext} action={PATH}>
          <button type="submit">{messages.checkAgain}</button>
        </PostForm>
      </div>
      <p>{messages.findingsText}</p>
      <Live id="findings" seconds={check?.under_way ? 3 : 15}>
        <LastWholeCheck pageContext={pageContext} check={check} />
        <DataTable
          pageContext={pageContext}
          name={messages.findings}
          rows={page.rows.map((row) => ({ row, texts: textsOf(row, pageContext.locale) }))}
          columns={columns(messages)}
          empty={<p>{resolvedToo ? messages.neverAny : messages.allWell}</p>}
          rowId={({ row }) => `finding-${row.id}`}
        />
      </Live>
      <Pager pageContext={pageContext} next={page.next} />
      <p>
        <a href={resolvedToo ? PATH : `${PATH}?resolved=yes`}>
          {resolvedToo ? messages.openOnly : messages.resolvedToo}
        </a>
      </p>
      <p>
        <small>
          {messages.checkedAt} <Instant at={succeededAt} />
        </small>
      </p>
    </>
  );
}

interface Shown {
  readonly row: FindingRow;
  readonly texts: FindingTexts;
}

function columns(messages: OperatorMessages): Column<Shown>[] {
  return [
    {
      name: messages.state,
      cell: ({ row }) => <Badge tone={row.resolved_at ? 'quiet' : 'bad'}>{messages[stateOf(row)]}</Badge>,
    },
    {
      name: messages.kind,
      heading: true,
      cell: (shown) => (
        <>
          <span title={shown.row.kind}>{shown.texts.kind}</span>
          <small class="beneath">
            <Subject {...shown} />
          </small>
        </>
      ),
    },
    { name: messages.reason, cell: ({ texts }) => <Sentence {...texts.reason} /> },
    { name: messages.nextStep, cell: ({ texts }) => <Sentence {...texts.nextStep} /> },
    { name: messages.doneAboutIt, cell: (shown) => <DoneAboutIt {...shown} messages={messages} /> },
    { name: messages.firstSeen, minor: true, cell: ({ row }) => <Instant at={row.first_seen_at} /> },
    { name: messages.lastSeen, cell: ({ row }) => <Instant at={row.last_seen_at} /> },
  ];
}

function stateOf({ resolved_at: resolved, acknowledged_at: acknowledged }: FindingRow) {
  if (acknowledged) return 'acknowledged';
  return resolved ? 'resolved' : 'open';
}

/** What nothing puts right is asked about; what an operator has said about it stays with it. */
function DoneAboutIt({ row, texts, messages }: Shown & { readonly messages: OperatorMessages }) {
  if (row.note !== null) return <>{row.note}</>;
  const done = texts.action && <Sentence {...texts.action} />;
  if (!row.can_be_acknowledged) return done;
  return (
    <>
      {done}
      <form method="get" action={acknowledgePath(row)}>
        <button type="submit" class="secondary" aria-label={`${messages.acknowledge} ${texts.subject}`}>
          {messages.acknowledge}
        </button>
      </form>
    </>
  );
}

export function acknowledgePath({ id }: { readonly id: bigint }): string {
  return `${PATH}/${id}/acknowledge`;
}

function Sentence({ text, lang }: FindingText) {
  return <span lang={lang}>{text}</span>;
}

const PAGES = { user: 'users', delegation: 'orders' } as const;

/** Orders and users lead to their pages. */
function Subject({ row: { subject_type: type, subject_id: id }, texts }: Shown) {
  if (id === null || (type !== 'user' && type !== 'delegation')) return <>{texts.subject}</>;
  return <a href={`/panel/operator/${PAGES[type]}/${id}`}>{texts.subject}</a>;
}
