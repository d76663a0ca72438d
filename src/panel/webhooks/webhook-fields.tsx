import { WEBHOOK_EVENTS } from '../../webhooks/webhook-events';
import { useMessages } from '../layout/current-page';
import { Choices, Field } from '../layout/fields';

interface Props {
  readonly url: string;
  readonly chosen: readonly string[];
  readonly autofocus?: boolean;
}

export function WebhookFields({ url, chosen, autofocus }: Props) {
  const messages = useMessages('webhook');
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
