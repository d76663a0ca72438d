import type { Locale } from '../messages/locale';
import type { WholeCheckView } from '../../reconciliation/whole-check/whole-check.store';
import type { SignedInVisit } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Pager, type PageOf } from '../layout/pager';
import { PostForm } from '../layout/post-form';
import { Badge, Instant } from '../layout/values';
import { OPERATOR_WORDS, type OperatorWords } from '../messages/operator.messages';
import { findingText, type FindingText } from '../messages/finding-text';
import type { FindingRow } from './finding.queries';
import { LastWholeCheck } from './whole-check';

interface Props {
  readonly visit: SignedInVisit;
  readonly page: PageOf<FindingRow>;
  readonly resolvedToo: boolean;
  readonly lastRunAt: Date | null;
  readonly check: WholeCheckView | null;
}

const PATH = '/panel/operator/findings';

export function FindingPage({ visit, page, resolvedToo, lastRunAt, check }: Props) {
  const words = OPERATOR_WORDS[visit.locale];
  return (
    <>
      <div class="head">
        <h1>{words.findings}</h1>
        <PostForm visit={visit} action={PATH}>
          <button type="submit">{words.checkAgain}</button>
        </PostForm>
      </div>
      <p>{words.findingsText}</p>
      <LastWholeCheck visit={visit} check={check} />
      <DataTable
        visit={visit}
        name={words.findings}
        rows={page.rows}
        columns={columns(words, visit.locale)}
        empty={<p>{resolvedToo ? words.neverAny : words.allWell}</p>}
      />
      <Pager visit={visit} next={page.next} />
      <p>
        <a href={resolvedToo ? PATH : `${PATH}?resolved=yes`}>{resolvedToo ? words.openOnly : words.resolvedToo}</a>
      </p>
      <p>
        <small>
          {words.checkedAt} <Instant at={lastRunAt} />
        </small>
      </p>
    </>
  );
}

function columns(words: OperatorWords, locale: Locale): Column<FindingRow>[] {
  return [
    {
      name: words.state,
      cell: (row) => <Badge tone={row.resolved_at ? 'quiet' : 'bad'}>{words[stateOf(row)]}</Badge>,
    },
    { name: words.kind, heading: true, cell: ({ kind }) => <span title={kind}>{findingText.kind(kind, locale)}</span> },
    { name: words.subject, cell: ({ subject }) => <Subject subject={subject} locale={locale} /> },
    { name: words.reason, cell: ({ reason }) => <Told {...findingText.reason(reason, locale)} /> },
    { name: words.nextStep, cell: (row) => <Told {...findingText.nextStep(row.next_step, locale)} /> },
    { name: words.doneAboutIt, cell: (row) => <DoneAboutIt row={row} words={words} locale={locale} /> },
    { name: words.firstSeen, cell: (row) => <Instant at={row.first_seen_at} /> },
    { name: words.lastSeen, cell: (row) => <Instant at={row.last_seen_at} /> },
  ];
}

function stateOf({ resolved_at: resolved, acknowledged_at: acknowledged }: FindingRow) {
  if (acknowledged) return 'acknowledged';
  return resolved ? 'resolved' : 'open';
}

/** An open shortage is asked about; what an operator has said about one stays with it. */
function DoneAboutIt({ row, words, locale }: { row: FindingRow; words: OperatorWords; locale: Locale }) {
  if (row.note !== null) return <>{row.note}</>;
  if (row.action !== null) return <Told {...findingText.action(row.action, locale)} />;
  if (row.kind !== 'shortage' || row.resolved_at) return null;
  return (
    <form method="get" action={acknowledgePath(row)}>
      <button
        type="submit"
        class="secondary"
        aria-label={`${words.acknowledge} ${findingText.subject(row.subject, locale)}`}
      >
        {words.acknowledge}
      </button>
    </form>
  );
}

export function acknowledgePath({ id }: { readonly id: bigint }): string {
  return `${PATH}/${id}/acknowledge`;
}

function Told({ text, lang }: FindingText) {
  return <span lang={lang}>{text}</span>;
}

/** Orders and users lead to their pages. */
function Subject({ subject, locale }: { subject: string; locale: Locale }) {
  const text = findingText.subject(subject, locale);
  const [, kind, id] = /^(delegation|user) ([0-9a-f-]{36})$/.exec(subject) ?? [];
  if (id === undefined) return <>{text}</>;
  return <a href={`/panel/operator/${kind === 'user' ? 'users' : 'orders'}/${id}`}>{text}</a>;
}
