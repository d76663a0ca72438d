import type { SignedInPageContext } from '../http/page-context';
import { CopyButton } from '../layout/copy-button';
import { LAYOUT_MESSAGES } from '../messages/layout.messages';
import { WEBHOOK_MESSAGES } from '../messages/webhook.messages';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly title: string;
  readonly webhookId: string;
  readonly secret: string;
}

/** The one page that ever shows a secret, once. */
export function WebhookSecretPage({ pageContext, title, webhookId, secret }: Props) {
  const messages = WEBHOOK_MESSAGES[pageContext.locale];
  return (
    <div class="narrow">
      <h1>{title}</h1>
      <p class="notice" role="status">
        {messages.once}
      </p>
      <p id="secret-label">{messages.secret}</p>
      <code class="secret" id="secret" aria-labelledby="secret-label" role="textbox" aria-readonly="true" tabindex={0}>
        {secret}
      </code>
      <p>
        <CopyButton
          source="secret"
          name={messages.copy}
          done={messages.copied}
          selected={LAYOUT_MESSAGES[pageContext.locale].selected}
        />
      </p>
      <p>
        <a href={`/panel/webhooks/${webhookId}`}>{messages.toWebhook}</a>
      </p>
    </div>
  );
}
