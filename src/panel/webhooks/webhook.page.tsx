import type { ListedDelivery } from '../../webhooks/webhook-deliveries';
import type { DeliveryState } from '../../webhooks/webhooks.entities';
import type { WebhookRecord } from '../../webhooks/webhook.service';
import type { Form } from '../http/form';
import { GetButton, PostButton } from '../layout/buttons';
import { useMessages } from '../layout/current-visit';
import type { FormProblem } from '../layout/form-problem';
import type { PageOf } from '../layout/pager';
import { PostForm } from '../layout/post-form';
import { refilled, ShownFields } from '../layout/shown-fields';
import { Facts, Instant } from '../layout/values';
import { DeliveryTable } from './delivery-table';
import { WebhookFields } from './new-webhook.page';
import { Events, WebhookState } from './webhook-list.page';

interface Props {
  readonly webhook: WebhookRecord;
  readonly deliveries: PageOf<ListedDelivery>;
  /** Deliveries of it alone; null: all. */
  readonly state: DeliveryState | null;
  readonly failed: number;
  /** A change that was refused. */
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export function WebhookPage({ webhook, deliveries, state, failed, form, problem }: Props) {
  const messages = useMessages('webhook');
  const path = `/panel/webhooks/${webhook.id}`;
  const fields = { url: webhook.url, events: webhook.events ?? [] };
  const isActive = webhook.state === 'active';
  return (
    <>
      <h1 class="breakable">{webhook.url}</h1>
      <WebhookFacts webhook={webhook} />
      <div class="buttons">
        <PostButton action={`${path}/test`} class="secondary outline" text={messages.test} />
        {isActive ? (
          <PostButton action={`${path}/disable`} class="secondary outline" text={messages.disable} />
        ) : (
          <PostButton action={`${path}/enable`} class="secondary outline" text={messages.enable} />
        )}
        <GetButton action={`${path}/rotate`} class="secondary outline" text={messages.rotate} />
        <GetButton action={`${path}/remove`} class="danger" text={messages.remove} />
      </div>
      <h2>{messages.deliveries}</h2>
      <DeliveryTable path={path} page={deliveries} replayable={isActive} state={state} failed={failed} />
      <h2>{messages.change}</h2>
      <PostForm
        action={path}
        class="narrow"
        label={messages.change}
        form={form ? refilled(form, fields) : fields}
        problem={problem}
      >
        <ShownFields fields={fields} />
        <WebhookFields />
        <button type="submit">{messages.save}</button>
      </PostForm>
    </>
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
        until && [messages.previous, <Instant key="previous" at={until} />],
      ]}
    />
  );
}
