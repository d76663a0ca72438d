import type { AuditView } from '../../audit-log/audit-log';
import type { AskedRange } from '../dates/date-range';
import { RangeFields, RangePresets } from '../dates/date-range.form';
import { useVisit, useMessages } from '../layout/current-visit';
import { type Column, ListTable } from '../layout/data-table';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { GetForm } from '../layout/post-form';
import { LinkedText } from '../layout/linked-text';
import { type PageOf, wholeList } from '../layout/pager';
import { Badge, Instant } from '../layout/values';
import type { Messages } from '../messages/catalogues';
import { searchHref } from '../search/search-path';
import { ChangedFields } from './changed-fields';

interface Props {
  readonly page: PageOf<AuditView>;
  readonly typed: { readonly who: string; readonly subject: string };
  readonly asked: AskedRange;
  readonly problem?: FormProblem;
}

const TONES = { begun: 'busy', done: 'good', refused: 'bad', failed: 'bad' } as const;

export function AuditLogPage({ page, typed, asked, problem }: Props) {
  const { url } = useVisit();
  const money = useMessages('money');
  const messages = useMessages('operator');
  return (
    <>
      <div class="head">
        <h1>{messages.auditLog}</h1>
        {!problem && (
          <p class="buttons">
            <a href={wholeList(url, '/panel/operator/audit-log/audit-log.csv')} download>
              {money.download}
            </a>
          </p>
        )}
      </div>
      <GetForm
        action="/panel/operator/audit-log"
        class="inline"
        label={messages.filter}
        form={typed}
        problem={problem}
        above={<RangePresets asked={asked} all />}
      >
        <Field name="who" label={messages.who} hint={messages.whoHint} />
        <Field name="subject" label={messages.subject} hint={messages.subjectHint} />
        <RangeFields asked={asked} />
        <button type="submit" class="secondary">
          {messages.filter}
        </button>
      </GetForm>
      <ListTable
        name={messages.auditLog}
        page={page}
        columns={columns(messages)}
        empty={typed.who + typed.subject === '' && asked.range === null ? messages.noEntries : messages.noEntriesFound}
        csv
      />
    </>
  );
}

function columns(messages: Messages['operator']): Column<AuditView>[] {
  return [
    { name: messages.time, cell: ({ at }) => <Instant at={at} /> },
    {
      name: messages.who,
      cell: ({ actor, service, address }) => (
        <>
          {actor ? (
            <a href={searchHref(actor)}>{actor}</a>
          ) : (
            <em>{service ? messages.services[service] : messages.commandLine}</em>
          )}
          <small class="beneath">{address}</small>
        </>
      ),
    },
    { name: messages.what, cell: ({ action }) => <code>{action}</code> },
    { name: messages.subject, heading: true, cell: (entry) => <Subject {...entry} /> },
    {
      name: messages.outcome,
      cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{messages.outcomes[outcome]}</Badge>,
    },
    { name: messages.changedFields, cell: ({ before, after }) => <ChangedFields before={before} after={after} /> },
  ];
}

/** As `subjects.ts` has them: a kind, a blank, a name. */
const NAMED = /^(user|wallet|delegation|order) (.+)$/s;

/** Leads to it where it has a page. */
function Subject({ subject, subject_key: key }: AuditView) {
  const [, kind, name] = NAMED.exec(key) ?? [];
  if (kind === undefined) return <LinkedText text={subject} />;
  return <a href={searchHref(name!)}>{subject}</a>;
}
