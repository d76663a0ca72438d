import { type FindingTexts, textsOf } from '../../findings/finding-text';
import type { FindingRow } from '../../findings/finding.statements';
import { isAlarm } from '../../findings/key-suspicions';
import type { WholeCheckView } from '../../reconciliation/whole-check/whole-check.repository';
import { GetButton, PostButton } from '../layout/buttons';
import { useVisit, useMessages } from '../layout/current-visit';
import { type Column, DataTable } from '../layout/data-table';
import { LinkedText } from '../layout/linked-text';
import { Live } from '../layout/live';
import { Pager, type PageOf } from '../layout/pager';
import { Badge, Instant } from '../layout/values';
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
      <p>{messages.findingsText}</p>
      <Live id="findings" seconds={check?.under_way ? 3 : 15}>
        <LastWholeCheck check={check} />
        <DataTable
          name={messages.findings}
          rows={page.rows.map((row) => ({ row, texts: textsOf(row, locale) }))}
          columns={columns(messages)}
          empty={resolvedToo ? messages.neverAny : messages.allWell}
          rowId={({ row }) => `finding-${row.id}`}
          isAlarm={({ row }) => isAlarm(row)}
        />
      </Live>
      <Pager page={page} />
      <p>
        <a href={resolvedToo ? PATH : `${PATH}?resolved=yes`}>
          {resolvedToo ? messages.openOnly : messages.resolvedToo}
        </a>
      </p>
      <p>
        <small>{messages.checkedAt(<Instant at={succeededAt} />)}</small>
      </p>
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
      cell: ({ row }) => (
        <>
          <Badge tone={toneOf(row)}>{messages[stateOf(row)]}</Badge>
          {isAlarm(row) && <small class="beneath">{messages.stolenKey}</small>}
        </>
      ),
    },
    {
      name: messages.kind,
      heading: true,
      cell: (shown) => (
        <>
          <span title={shown.row.kind}>{shown.texts.kind}</span>
          <small class="beneath">
            <FindingSubject {...shown} />
          </small>
        </>
      ),
    },
    { name: messages.reason, cell: ({ texts }) => <LinkedText {...texts.reason} /> },
    { name: messages.nextStep, cell: ({ texts }) => <LinkedText {...texts.nextStep} /> },
    { name: messages.doneAboutIt, cell: (shown) => <DoneAboutIt {...shown} /> },
    { name: messages.firstSeen, minor: true, cell: ({ row }) => <Instant at={row.first_seen_at} /> },
    { name: messages.lastSeen, cell: ({ row }) => <Instant at={row.last_seen_at} /> },
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

/** What nothing puts right is asked about; what an operator has said about it stays with it. */
function DoneAboutIt({ row, texts }: Shown) {
  const messages = useMessages('operator');
  if (row.note !== null) return <>{row.note}</>;
  const done = texts.action && <LinkedText {...texts.action} />;
  if (!row.can_be_acknowledged) return done;
  return (
    <>
      {done}
      <GetButton
        action={acknowledgePath(row)}
        class="secondary"
        aria-label={messages.acknowledgeOne(texts.subject)}
        text={messages.acknowledge}
      />
    </>
  );
}

export function acknowledgePath({ id }: { readonly id: bigint }): string {
  return `${PATH}/${id}/acknowledge`;
}
