import type { DeliveryView } from '../../webhooks/webhook-deliveries';
import { PostButton } from '../layout/buttons';
import { Clipped, RowMenu } from '../layout/folds';
import { useMessages } from '../layout/current-visit';
import { type Column, DataTable } from '../layout/data-table';
import { Live } from '../layout/live';
import { LongId } from '../layout/long-id';
import { Pager, type PageOf } from '../layout/pager';
import { Badge, Instant } from '../layout/values';
import type { Messages } from '../messages/catalogues';

interface Props {
  /** Of the webhook. */
  readonly path: string;
  readonly page: PageOf<DeliveryView>;
  /** None can be sent again while the webhook is disabled. */
  readonly replayable: boolean;
}

const TONES = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;

/** What was sent and what came of it: of the answers only status and time. */
export function DeliveryTable({ path, page, replayable }: Props) {
  const messages = useMessages('webhook');
  return (
    <>
      <Live id="deliveries" seconds={5}>
        <DataTable
          name={messages.deliveries}
          rows={page.rows}
          columns={columns(messages, path, replayable)}
          empty={messages.noDeliveries}
          rowId={({ id }) => `delivery-${id}`}
        />
      </Live>
      <Pager page={page} />
    </>
  );
}

function columns(messages: Messages['webhook'], path: string, replayable: boolean): Column<DeliveryView>[] {
  return [
    {
      name: messages.event,
      heading: true,
      cell: ({ event }) => <code class="unbroken">{event}</code>,
    },
    { name: messages.message, minor: true, cell: ({ id }) => <LongId value={id} /> },
    { name: messages.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { name: messages.state, cell: ({ state }) => <Badge tone={TONES[state]}>{messages[state]}</Badge> },
    { name: messages.attempts, numeric: true, cell: ({ attempts }) => attempts },
    {
      name: messages.status,
      cell: ({ status, reason }) =>
        reason === null ? (status ?? '–') : <Clipped text={messages.noAnswer[reason]} short />,
    },
    { name: messages.at, cell: ({ attemptedAt }) => <Instant at={attemptedAt} /> },
    { name: messages.took, numeric: true, minor: true, cell: ({ tookMs }) => tookMs ?? '–' },
    { name: messages.next, cell: ({ nextAt }) => <Instant at={nextAt} /> },
    {
      name: messages.actions,
      menu: true,
      cell: ({ id, event }) =>
        replayable && (
          <RowMenu of={event}>
            <PostButton
              action={`${path}/deliveries/${id}/replay`}
              class="secondary"
              aria-label={messages.replayOne(event)}
              text={messages.replay}
            />
          </RowMenu>
        ),
    },
  ];
}
