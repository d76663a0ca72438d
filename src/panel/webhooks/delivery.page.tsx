import type { SentDelivery } from '../../webhooks/webhook-deliveries';
import type { WebhookRecord } from '../../webhooks/webhook.service';
import { Facts, Instant, LongId, PostButton, useMessages } from '../layout/components';
import { replayPath, StateOfDelivery } from './delivery-table';

interface Props {
  readonly webhook: WebhookRecord;
  readonly delivery: SentDelivery;
}

/** One message: the body as it was signed, byte for byte, and what came of it. Of the answer, only status and time are kept. */
export function DeliveryPage({ webhook, delivery }: Props) {
  const messages = useMessages('webhook');
  const path = `/panel/webhooks/${webhook.id}`;
  const { id, event, orderId, status, reason, attempts, tookMs } = delivery;
  return (
    <>
      <div class="head">
        <h1>
          <code>{event}</code>
        </h1>
        {webhook.state === 'active' && (
          <PostButton action={replayPath(path, delivery)} class="secondary outline" text={messages.replay} />
        )}
      </div>
      <Facts
        facts={[
          [messages.state, <StateOfDelivery key="state" {...delivery} />],
          [
            messages.url,
            <a key="url" href={path}>
              {webhook.url}
            </a>,
          ],
          orderId !== null && [
            messages.order,
            <LongId key="order" value={orderId} href={`/panel/orders/${orderId}`} whole />,
          ],
          [messages.message, <LongId key="id" value={id} whole />],
          [messages.attempts, attempts],
          [messages.status, reason === null ? (status ?? '–') : messages.noAnswer[reason]],
          [messages.took, tookMs ?? '–'],
          [messages.created, <Instant key="created" at={delivery.createdAt} />],
          [messages.at, <Instant key="at" at={delivery.attemptedAt} />],
          [messages.next, <Instant key="next" at={delivery.nextAt} />],
        ]}
      />
      <h2>{messages.body}</h2>
      <p>{messages.bodyNote}</p>
      <pre class="breakable" tabindex={0}>
        <code>{delivery.body}</code>
      </pre>
    </>
  );
}
