import type { AuditView } from '../../audit-log/audit-log';
import type { SignedInVisit } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Field } from '../layout/fields';
import { type FormProblem, ProblemOfForm, ProblemSummary } from '../layout/form-problem';
import { Pager, type PageOf } from '../layout/pager';
import { Badge, Instant } from '../layout/values';
import { Detail } from '../orders/order-history';
import { OPERATOR_WORDS, type OperatorWords } from '../messages/operator.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly page: PageOf<AuditView>;
  readonly typed: { readonly who: string; readonly subject: string };
  readonly problem?: FormProblem;
}

const TONES = { begun: 'busy', done: 'good', refused: 'bad', failed: 'bad' } as const;

export function AuditLogPage({ visit, page, typed, problem }: Props) {
  const words = OPERATOR_WORDS[visit.locale];
  return (
    <>
      <h1>{words.auditLog}</h1>
      <ProblemOfForm.Provider value={problem}>
        <ProblemSummary problem={problem} />
        <form method="get" action="/panel/operator/audit-log" class="inline" aria-label={words.filter}>
          <Field name="who" label={words.who} hint={words.whoHint} value={typed.who} />
          <Field name="subject" label={words.subject} hint={words.subjectHint} value={typed.subject} />
          <button type="submit" class="secondary">
            {words.filter}
          </button>
        </form>
      </ProblemOfForm.Provider>
      <DataTable
        visit={visit}
        name={words.auditLog}
        rows={page.rows}
        columns={columns(words)}
        empty={<p>{typed.who + typed.subject === '' ? words.noAudit : words.noAuditFound}</p>}
      />
      <Pager visit={visit} next={page.next} />
    </>
  );
}

function columns(words: OperatorWords): Column<AuditView>[] {
  return [
    { name: words.time, cell: ({ at }) => <Instant at={at} /> },
    {
      name: words.who,
      cell: ({ actor, service }) => actor ?? <em>{service ? words.services[service] : words.commandLine}</em>,
    },
    { name: words.from, cell: ({ address }) => <code>{address}</code> },
    { name: words.what, cell: ({ action }) => <code>{action}</code> },
    { name: words.subject, heading: true, cell: ({ subject }) => subject },
    {
      name: words.outcome,
      cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{words.outcomes[outcome]}</Badge>,
    },
    { name: words.before, cell: ({ before }) => before && <Detail detail={before} /> },
    { name: words.after, cell: ({ after }) => after && <Detail detail={after} /> },
  ];
}
