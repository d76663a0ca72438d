import { type FindingTexts, textsOf } from '../../findings/finding-text';
import type { FindingRow } from '../../findings/finding.statements';
import { isAlarm } from '../../findings/key-suspicions';
import type { WholeCheckView } from '../../reconciliation/whole-check/whole-check.repository';
import { GetButton, PostButton } from '../layout/buttons';
import { useVisit, useMessages } from '../layout/current-visit';
import { type Column, DataTable } from '../layout/data-table';
import { LongText, RowMenu } from '../layout/folds';
import { LinkedText } from '../layout/linked-text';
import { Live } from '../layout/live';
import { Pager, type PageOf } from '../layout/pager';
import { Badge, Facts, Instant } from '../layout/values';
import type { Messages } from '../messages/catalogues';
import { FindingSubject } from './finding-subject';
import { LastWholeCheck } from './whole-check';

interface Props {
  readonly page: PageOf<FindingRow>;
  readonly resolvedToo: boolean;
  readonly succeededAt: Date | null;
  readonly check: WholeCheckView | null;
}

const PATH = '/panel/operator/findings';

export function FindingPage({ page, resolvedToo, succeededAt, check }: Props) {
  const { locale } = useVisit();
  const messages = useMessages('operator');
  return (
    <>
      <div class="head">
        <h1>{messages.findings}</h1>
        <PostButton action={PATH} text={messages.checkAgain} />
      </div>
      <Live id="findings" seconds={check?.under_way ? 3 : 15}>
        {check?.under_way && <LastWholeCheck check={check} />}
        <DataTable
          name={messages.findings}
          rows={page.rows.map((row) => ({ row, texts: textsOf(row, locale) }))}
          columns={columns(messages)}
          empty={resolvedToo ? messages.neverAny : messages.allWell}
          rowId={({ row }) => `finding-${row.id}`}
          isAlarm={({ row }) => isAlarm(row)}
        />
        {!check?.under_way && <LastWholeCheck check={check} />}
        <Pager page={page} />
      </Live>
      <p>
        <a href={resolvedToo ? PATH : `${PATH}?resolved=yes`}>
          {resolvedToo ? messages.openOnly : messages.resolvedToo}
        </a>
      </p>
      <p>
        <small>{messages.checkedAt(<Instant at={succeededAt} />)}</small>
      </p>
      <p>{messages.findingsText}</p>
    </>
  );
}

interface Shown {
  readonly row: FindingRow;
  readonly texts: FindingTexts;
}

function columns(messages: Messages['operator']): Column<Shown>[] {
  return [
    {
      name: messages.state,
      cell: ({ row }) => <Badge tone={toneOf(row)}>{messages[stateOf(row)]}</Badge>,
    },
    {
      name: messages.kind,
      heading: true,
      cell: (shown) => (
        <>
          <span class="unbroken" title={shown.row.kind}>
            {shown.texts.kind}
          </span>
          {isAlarm(shown.row) && <small class="beneath">{messages.stolenKey}</small>}
        </>
      ),
    },
    {
      name: messages.subject,
      cell: (shown) => (
        <span class="unbroken">
          <FindingSubject {...shown} />
        </span>
      ),
    },
    { name: messages.reason, wide: true, cell: (shown) => <Reason {...shown} /> },
    { name: messages.lastSeen, minor: true, cell: ({ row }) => <Instant at={row.last_seen_at} /> },
    { name: messages.actions, menu: true, cell: (shown) => <Acts {...shown} /> },
  ];
}

function toneOf(row: FindingRow) {
  if (row.resolved_at) return 'quiet';
  return isAlarm(row) ? 'bad' : 'busy';
}

function stateOf({ resolved_at: resolved, acknowledged_at: acknowledged }: FindingRow) {
  if (acknowledged) return 'acknowledged';
  return resolved ? 'resolved' : 'open';
}

/** The sentence in a line; what to do and what was done unfold with it. One that may mean a stolen key is read at once. */
function Reason({ row, texts }: Shown) {
  const messages = useMessages('operator');
  const { reason, nextStep, action } = texts;
  return (
    <LongText text={reason.text} open={isAlarm(row)}>
      <p>
        <LinkedText {...reason} />
      </p>
      <Facts
        facts={[
          [messages.nextStep, <LinkedText key="next" {...nextStep} />],
          action && [messages.doneAboutIt, <LinkedText key="done" {...action} />],
          row.note !== null && [messages.note, row.note],
          [messages.firstSeen, <Instant key="first" at={row.first_seen_at} />],
        ]}
      />
    </LongText>
  );
}

/** What nothing puts right is asked about. */
function Acts({ row, texts }: Shown) {
  const messages = useMessages('operator');
  if (!row.can_be_acknowledged) return null;
  return (
    <RowMenu of={texts.subject}>
      <GetButton
        action={acknowledgePath(row)}
        class="secondary"
        aria-label={messages.acknowledgeOne(texts.subject)}
        text={messages.acknowledge}
      />
    </RowMenu>
  );
}

export function acknowledgePath({ id }: { readonly id: bigint }): string {
  return `${PATH}/${id}/acknowledge`;
}
