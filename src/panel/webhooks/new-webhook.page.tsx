import { choicesOf, type Form, textOf } from '../http/form';
import { useMessages } from '../layout/current-page';
import { FormKey } from '../layout/form-key';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
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
      <PostForm action="/panel/webhooks/new" problem={problem}>
        <FormKey form={form} />
        <WebhookFields url={textOf(form, 'url')} chosen={choicesOf(form, 'events')} autofocus />
        <div class="buttons">
          <button type="submit">{messages.save}</button>
          <a href="/panel/webhooks">{messages.cancel}</a>
        </div>
      </PostForm>
    </div>
  );
}
