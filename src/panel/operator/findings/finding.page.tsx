import type { Locale } from '../../i18n/locale';
import type { SignedInVisit } from '../../http/visit';
import { type Column, DataTable } from '../../layout/data-table';
import { Pager, type PageOf } from '../../layout/pager';
import { PostForm } from '../../layout/post-form';
import { Badge, Instant } from '../../layout/values';
import { OPERATOR_WORDS, type OperatorWords } from '../operator.words';
import { findingText, type FindingText } from './finding-text';
import type { FindingRow } from './finding.queries';

interface Props {
  readonly visit: SignedInVisit;
  readonly page: PageOf<FindingRow>;
  readonly resolvedToo: boolean;
  readonly lastRunAt: Date | null;
}

const PATH = '/panel/operator/findings';

export function FindingPage({ visit, page, resolvedToo, lastRunAt }: Props) {
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
      cell: ({ resolved_at: at }) => <Badge tone={at ? 'quiet' : 'bad'}>{at ? words.resolved : words.open}</Badge>,
    },
    { name: words.kind, heading: true, cell: ({ kind }) => <span title={kind}>{findingText.kind(kind, locale)}</span> },
    { name: words.subject, cell: ({ subject }) => <Subject subject={subject} /> },
    { name: words.reason, cell: ({ reason }) => <Told {...findingText.reason(reason, locale)} /> },
    { name: words.nextStep, cell: (row) => <Told {...findingText.nextStep(row.next_step, locale)} /> },
    { name: words.doneAboutIt, cell: ({ action }) => action && <Told {...findingText.action(action, locale)} /> },
    { name: words.firstSeen, cell: (row) => <Instant at={row.first_seen_at} /> },
    { name: words.lastSeen, cell: (row) => <Instant at={row.last_seen_at} /> },
  ];
}

function Told({ text, lang }: FindingText) {
  return <span lang={lang}>{text}</span>;
}

/** Orders and users lead to their pages. */
function Subject({ subject }: { subject: string }) {
  const [, kind, id] = /^(delegation|user) ([0-9a-f-]{36})$/.exec(subject) ?? [];
  if (id === undefined) return <>{subject}</>;
  return <a href={`/panel/operator/${kind === 'user' ? 'users' : 'orders'}/${id}`}>{subject}</a>;
}
