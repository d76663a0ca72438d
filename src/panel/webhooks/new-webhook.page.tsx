import { choicesOf, type Form, textOf } from '../http/form';
import type { SignedInPageContext } from '../http/page-context';
import { FormKey } from '../layout/form-key';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { WEBHOOK_MESSAGES } from '../messages/webhook.messages';
import { WebhookFields } from './webhook-fields';

interface Props {
  readonly pageContext: SignedInPageContext;
  /** What was typed before; none the first time. */
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export function NewWebhookPage({ pageContext, form, problem }: Props) {
  const messages = WEBHOOK_MESSAGES[pageContext.locale];
  return (
    <div class="narrow">
      <h1>{messages.newWebhook}</h1>
      <PostForm pageContext={pageContext} action="/panel/webhooks/new" problem={problem}>
        <FormKey form={form} />
        <WebhookFields messages={messages} url={textOf(form, 'url')} chosen={choicesOf(form, 'events')} autofocus />
        <div class="buttons">
          <button type="submit">{messages.save}</button>
          <a href="/panel/webhooks">{messages.cancel}</a>
        </div>
      </PostForm>
    </div>
  );
}
