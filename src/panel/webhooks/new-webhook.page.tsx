import { WEBHOOK_EVENTS } from '../../webhooks/webhook-events';
import type { Form } from '../http/form';
import { Choices, Field, FormKey, type FormProblem, PostForm, Secret, useMessages } from '../layout/components';

interface Props {
  /** What was typed before; none the first time. */
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export function NewWebhookPage({ form, problem }: Props) {
  const messages = useMessages('webhook');
  return (
    <div class="narrow">
      <h1>{messages.newWebhook}</h1>
      <PostForm action="/panel/webhooks/new" form={form} problem={problem}>
        <FormKey form={form} />
        <WebhookFields autofocus />
        <div class="buttons">
          <button type="submit">{messages.save}</button>
          <a href="/panel/webhooks">{messages.cancel}</a>
        </div>
      </PostForm>
    </div>
  );
}

export function WebhookFields({ autofocus }: { autofocus?: boolean }) {
  const messages = useMessages('webhook');
  return (
    <>
      <Field
        name="url"
        label={messages.url}
        hint={messages.urlHint}
        required
        autofocus={autofocus}
        autocomplete="off"
        spellcheck={false}
      />
      <Choices
        type="checkbox"
        name="events"
        label={messages.events}
        options={WEBHOOK_EVENTS.map((event) => ({ value: event, label: event, hint: messages.hints[event] }))}
      />
      <p>
        <small>{messages.allHint}</small>
      </p>
    </>
  );
}

/** The one page that ever shows a secret, once. */
export function WebhookSecretPage({ title, webhookId, secret }: { title: string; webhookId: string; secret: string }) {
  const messages = useMessages('webhook');
  return (
    <div class="narrow">
      <h1>{title}</h1>
      <p class="notice" role="status">
        {messages.once}
      </p>
      <p id="secret-label">{messages.secret}</p>
      <Secret id="secret" text={secret} copy={messages.copy} copied={messages.copied} />
      <p>
        <a href={`/panel/webhooks/${webhookId}`}>{messages.toWebhook}</a>
      </p>
    </div>
  );
}
