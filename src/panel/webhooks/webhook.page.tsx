import type { DeliveryView } from '../../webhooks/webhook-deliveries';
import type { WebhookRecord } from '../../webhooks/webhook.service';
import { choicesOf, type Form, textOf } from '../http/form';
import { useMessages } from '../layout/current-page';
import type { FormProblem } from '../layout/form-problem';
import type { PageOf } from '../layout/pager';
import { PostForm } from '../layout/post-form';
import { Facts, Instant } from '../layout/values';
import { DeliveryTable } from './delivery-table';
import { WebhookFields } from './webhook-fields';
import { Events, WebhookState } from './webhook-list.page';

interface Props {
  readonly webhook: WebhookRecord;
  readonly deliveries: PageOf<DeliveryView>;
  /** A change that was refused. */
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export function WebhookPage({ webhook, deliveries, form, problem }: Props) {
  const messages = useMessages('webhook');
  const path = `/panel/webhooks/${webhook.id}`;
  const isActive = webhook.state === 'active';
  return (
    <>
      <h1 class="breakable">{webhook.url}</h1>
      <WebhookFacts webhook={webhook} />
      <div class="buttons">
        <Act action={`${path}/test`} name={messages.test} />
        {isActive ? (
          <Act action={`${path}/disable`} name={messages.disable} />
        ) : (
          <Act action={`${path}/enable`} name={messages.enable} />
        )}
        <form method="get" action={`${path}/rotate`}>
          <button type="submit" class="secondary outline">
            {messages.rotate}
          </button>
        </form>
        <form method="get" action={`${path}/remove`}>
          <button type="submit" class="danger">
            {messages.remove}
          </button>
        </form>
      </div>
      <h2>{messages.deliveries}</h2>
      <DeliveryTable path={path} page={deliveries} replayable={isActive} />
      <h2>{messages.change}</h2>
      <PostForm action={path} class="narrow" label={messages.change} problem={problem}>
        <WebhookFields
          url={form ? textOf(form, 'url') : webhook.url}
          chosen={form ? choicesOf(form, 'events') : (webhook.events ?? [])}
        />
        <button type="submit">{messages.save}</button>
      </PostForm>
    </>
  );
}

function Act({ action, name }: { action: string; name: string }) {
  return (
    <PostForm action={action}>
      <button type="submit" class="secondary outline">
        {name}
      </button>
    </PostForm>
  );
}

export function WebhookFacts({ webhook }: Pick<Props, 'webhook'>) {
  const messages = useMessages('webhook');
  const until = webhook.previousSecretUntil;
  return (
    <Facts
      facts={[
        [messages.state, <WebhookState key="state" webhook={webhook} />],
        [messages.events, <Events key="events" events={webhook.events} />],
        [messages.created, <Instant key="created" at={webhook.createdAt} />],
        ...(until ? [[messages.previous, <Instant key="previous" at={until} />] as const] : []),
      ]}
    />
  );
}
