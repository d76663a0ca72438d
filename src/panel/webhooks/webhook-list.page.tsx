import type { WebhookRecord } from '../../webhooks/webhook.service';
import { Badge, type Column, DataTable, GetButton, Instant, useMessages } from '../layout/components';
import type { Messages } from '../messages/catalogues';

export function WebhookListPage({ webhooks }: { webhooks: readonly WebhookRecord[] }) {
  const messages = useMessages('webhook');
  return (
    <>
      <div class="head">
        <h1>{messages.title}</h1>
        <GetButton action="/panel/webhooks/new" text={messages.newWebhook} />
      </div>
      <p>{messages.text}</p>
      <DataTable name={messages.title} rows={webhooks} columns={columns(messages)} empty={messages.empty} />
    </>
  );
}

function columns(messages: Messages['webhook']): Column<WebhookRecord>[] {
  return [
    { name: messages.url, heading: true, cell: ({ id, url }) => <a href={`/panel/webhooks/${id}`}>{url}</a> },
    { name: messages.events, cell: ({ events }) => <Events events={events} /> },
    { name: messages.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
    { name: messages.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
  ];
}

export function Events({ events }: { events: WebhookRecord['events'] }) {
  const messages = useMessages('webhook');
  return events === null ? <>{messages.all}</> : <code>{events.join(', ')}</code>;
}

/** Failing is still active: it is tried again. */
export function WebhookState({ webhook }: { webhook: WebhookRecord }) {
  const messages = useMessages('webhook');
  const { disabledReason: reason, failingSince } = webhook;
  if (reason !== null) return <Badge tone={reason === 'asked' ? 'quiet' : 'bad'}>{messages.reasons[reason]}</Badge>;
  if (failingSince === null) return <Badge tone="good">{messages.active}</Badge>;
  return <Badge tone="busy">{messages.failing(<Instant at={failingSince} />)}</Badge>;
}
