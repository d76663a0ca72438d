import { WEBHOOK_EVENTS } from '../../webhooks/webhook-events';
import { Choices, Field } from '../layout/fields';
import type { WebhookMessages } from '../messages/webhook.messages';

interface Props {
  readonly messages: WebhookMessages;
  readonly url: string;
  readonly chosen: readonly string[];
  readonly autofocus?: boolean;
}

export function WebhookFields({ messages, url, chosen, autofocus }: Props) {
  return (
    <>
      <Field
        name="url"
        label={messages.url}
        hint={messages.urlHint}
        value={url}
        required
        autofocus={autofocus}
        autocomplete="off"
        spellcheck={false}
      />
      <Choices
        type="checkbox"
        name="events"
        label={messages.events}
        chosen={chosen}
        options={WEBHOOK_EVENTS.map((event) => ({ value: event, label: event, hint: messages.hints[event] }))}
      />
      <p>
        <small>{messages.allHint}</small>
      </p>
    </>
  );
}
