import type { WholeCheckView } from '../../reconciliation/whole-check/whole-check.store';
import type { SignedInPageContext } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Pager, type PageOf } from '../layout/pager';
import { PostForm } from '../layout/post-form';
import { Badge, Instant } from '../layout/values';
import { findingText, type FindingText } from '../messages/finding-text';
import type { Locale } from '../messages/locale';
import { OPERATOR_MESSAGES, type OperatorMessages } from '../messages/operator.messages';
import type { FindingRow } from './finding.queries';
import { LastWholeCheck } from './whole-check';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly page: PageOf<FindingRow>;
  readonly resolvedToo: boolean;
  readonly lastRunAt: Date | null;
  readonly check: WholeCheckView | null;
}

const PATH = '/panel/operator/findings';

export function FindingPage({ pageContext, page, resolvedToo, lastRunAt, check }: Props) {
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
      <LastWholeCheck pageContext={pageContext} check={check} />
      <DataTable
        pageContext={pageContext}
        name={messages.findings}
        rows={page.rows}
        columns={columns(messages, pageContext.locale)}
        empty={<p>{resolvedToo ? messages.neverAny : messages.allWell}</p>}
      />
      <Pager pageContext={pageContext} next={page.next} />
      <p>
        <a href={resolvedToo ? PATH : `${PATH}?resolved=yes`}>
          {resolvedToo ? messages.openOnly : messages.resolvedToo}
        </a>
      </p>
      <p>
        <small>
          {messages.checkedAt} <Instant at={lastRunAt} />
        </small>
      </p>
    </>
  );
}

function columns(messages: OperatorMessages, locale: Locale): Column<FindingRow>[] {
  return [
    {
      name: messages.state,
      cell: (row) => <Badge tone={row.resolved_at ? 'quiet' : 'bad'}>{messages[stateOf(row)]}</Badge>,
    },
    {
      name: messages.kind,
      heading: true,
      cell: ({ kind }) => <span title={kind}>{findingText.kind(kind, locale)}</span>,
    },
    { name: messages.subject, cell: ({ subject }) => <Subject subject={subject} locale={locale} /> },
    { name: messages.reason, cell: ({ reason }) => <Committed {...findingText.reason(reason, locale)} /> },
    { name: messages.nextStep, cell: (row) => <Committed {...findingText.nextStep(row.next_step, locale)} /> },
    { name: messages.doneAboutIt, cell: (row) => <DoneAboutIt row={row} messages={messages} locale={locale} /> },
    { name: messages.firstSeen, cell: (row) => <Instant at={row.first_seen_at} /> },
    { name: messages.lastSeen, cell: (row) => <Instant at={row.last_seen_at} /> },
  ];
}

function stateOf({ resolved_at: resolved, acknowledged_at: acknowledged }: FindingRow) {
  if (acknowledged) return 'acknowledged';
  return resolved ? 'resolved' : 'open';
}

/** An open shortage is asked about; what an operator has said about one stays with it. */
function DoneAboutIt({ row, messages, locale }: { row: FindingRow; messages: OperatorMessages; locale: Locale }) {
  if (row.note !== null) return <>{row.note}</>;
  if (row.action !== null) return <Committed {...findingText.action(row.action, locale)} />;
  if (row.kind !== 'shortage' || row.resolved_at) return null;
  return (
    <form method="get" action={acknowledgePath(row)}>
      <button
        type="submit"
        class="secondary"
        aria-label={`${messages.acknowledge} ${findingText.subject(row.subject, locale)}`}
      >
        {messages.acknowledge}
      </button>
    </form>
  );
}

export function acknowledgePath({ id }: { readonly id: bigint }): string {
  return `${PATH}/${id}/acknowledge`;
}

function Committed({ text, lang }: FindingText) {
  return <span lang={lang}>{text}</span>;
}

/** Orders and users lead to their pages. */
function Subject({ subject, locale }: { subject: string; locale: Locale }) {
  const text = findingText.subject(subject, locale);
  const [, kind, id] = /^(delegation|user) ([0-9a-f-]{36})$/.exec(subject) ?? [];
  if (id === undefined) return <>{text}</>;
  return <a href={`/panel/operator/${kind === 'user' ? 'users' : 'orders'}/${id}`}>{text}</a>;
}
