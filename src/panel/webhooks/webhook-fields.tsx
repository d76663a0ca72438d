import { WEBHOOK_EVENTS } from '../../webhooks/webhook-events';
import { Choices, Field, useMessages } from '../layout/components';

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
