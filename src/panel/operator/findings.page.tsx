import type { SignedInVisit } from '../http/visit';
import { DataTable } from '../layout/data-table';
import { Problem } from '../layout/fields';
import { PostForm } from '../layout/post-form';
import { Instant } from '../layout/values';
import type { Findings } from './latest-findings';
import { OPERATOR_WORDS } from './operator.words';

export function FindingsPage({ visit, found }: { visit: SignedInVisit; found: Findings }) {
  const words = OPERATOR_WORDS[visit.locale];
  const checked = Object.entries(found.checked).map(([what, count]) => `${what.replaceAll('_', ' ')} ${count}`);
  return (
    <>
      <div class="head">
        <h1>{words.findings}</h1>
        <PostForm visit={visit} action="/panel/operator/findings">
          <button type="submit">{words.checkAgain}</button>
        </PostForm>
      </div>
      <p>{words.findingsText}</p>
      <Problem>{found.complete ? null : words.unreachable}</Problem>
      <DataTable
        visit={visit}
        name={words.findings}
        rows={found.findings}
        empty={<p>{found.complete ? words.allWell : words.unreachable}</p>}
        columns={[
          { name: words.kind, heading: true, cell: ({ kind }) => <code>{kind}</code> },
          { name: words.subject, cell: ({ subject }) => <Subject subject={subject} /> },
          { name: words.reason, cell: ({ reason }) => <span lang="en">{reason}</span> },
          { name: words.nextStep, cell: (row) => <span lang="en">{row.next_step}</span> },
        ]}
      />
      <p>
        <small>
          {words.checkedAt} <Instant at={found.at} />
          {checked.length > 0 && ` · ${words.checked}: ${checked.join(', ')}`}
        </small>
      </p>
    </>
  );
}

/** Orders and users lead to their pages. */
function Subject({ subject }: { subject: string }) {
  const [, kind, id] = /^(delegation|user) ([0-9a-f-]{36})$/.exec(subject) ?? [];
  if (id === undefined) return <>{subject}</>;
  return <a href={`/panel/operator/${kind === 'user' ? 'users' : 'orders'}/${id}`}>{subject}</a>;
}
