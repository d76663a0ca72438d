import type { Form } from '../http/form';
import { FormKey, type FormProblem, PostForm, useMessages } from '../layout/components';
import { WebhookFields } from './webhook-fields';

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
