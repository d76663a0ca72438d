import { MOST_REPLAYED, type ListedDelivery } from '../../webhooks/webhook-deliveries';
import { DELIVERY_STATES, type DeliveryState } from '../../webhooks/webhooks.entities';
import { GetButton, PostButton } from '../layout/buttons';
import { useMessages } from '../layout/current-visit';
import { type Column, DataTable } from '../layout/data-table';
import { Clipped, RowMenu } from '../layout/folds';
import { Live } from '../layout/live';
import { LongId } from '../layout/long-id';
import { Pager, type PageOf } from '../layout/pager';
import { Badge, groupDigits, Instant } from '../layout/values';
import type { Messages } from '../messages/catalogues';

interface Props {
  /** Of the webhook. */
  readonly path: string;
  readonly page: PageOf<ListedDelivery>;
  /** None can be sent again while the webhook is disabled. */
  readonly replayable: boolean;
  readonly state: DeliveryState | null;
  /** How many failed, up to one more than are sent again at once. */
  readonly failed: number;
}

const TONES = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;

export function failedText(failed: number): string {
  return failed > MOST_REPLAYED ? `> ${groupDigits(MOST_REPLAYED)}` : groupDigits(failed);
}

/** What was sent and what came of it: of the answers only status and time. */
export function DeliveryTable({ path, page, replayable, state, failed }: Props) {
  const messages = useMessages('webhook');
  return (
    <>
      <div class="narrowing">
        <nav class="presets" aria-label={messages.state}>
          {[null, ...DELIVERY_STATES].map((one) => (
            <a
              key={one}
              href={one === null ? path : `${path}?state=${one}`}
              aria-current={one === state ? 'true' : undefined}
            >
              {one === null ? messages.all : messages[one]}
            </a>
          ))}
        </nav>
        {replayable && failed > 0 && (
          <GetButton
            action={`${path}/replay-failed`}
            compact
            class="secondary"
            text={messages.replayAll(failedText(failed))}
          />
        )}
      </div>
      <Live id="deliveries" seconds={5}>
        <DataTable
          name={messages.deliveries}
          rows={page.rows}
          columns={columns(messages, path, replayable)}
          empty={state === null ? messages.noDeliveries : messages.noSuchDeliveries}
          rowId={({ id }) => `delivery-${id}`}
        />
        <Pager page={page} />
      </Live>
    </>
  );
}

export function StateOfDelivery({ state }: Pick<ListedDelivery, 'state'>) {
  const messages = useMessages('webhook');
  return <Badge tone={TONES[state]}>{messages[state]}</Badge>;
}

export function replayPath(path: string, { id }: Pick<ListedDelivery, 'id'>): string {
  return `${path}/deliveries/${id}/replay`;
}

function columns(messages: Messages['webhook'], path: string, replayable: boolean): Column<ListedDelivery>[] {
  return [
    {
      name: messages.event,
      heading: true,
      cell: ({ id, event }) => (
        <a href={`${path}/deliveries/${id}`}>
          <code class="unbroken">{event}</code>
        </a>
      ),
    },
    {
      name: messages.order,
      cell: ({ orderId }) => orderId && <LongId value={orderId} href={`/panel/orders/${orderId}`} />,
    },
    { name: messages.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { name: messages.state, cell: (row) => <StateOfDelivery {...row} /> },
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
      cell: (row) =>
        replayable && (
          <RowMenu of={row.event}>
            <PostButton
              action={replayPath(path, row)}
              class="secondary"
              aria-label={messages.replayOne(row.event)}
              text={messages.replay}
            />
          </RowMenu>
        ),
    },
  ];
}
