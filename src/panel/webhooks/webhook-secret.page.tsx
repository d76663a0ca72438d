import { CopyButton } from '../layout/copy-button';
import { useMessages } from '../layout/current-page';

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
      <code class="secret" id="secret" aria-labelledby="secret-label" role="textbox" aria-readonly="true" tabindex={0}>
        {secret}
      </code>
      <p>
        <CopyButton source="secret" name={messages.copy} done={messages.copied} />
      </p>
      <p>
        <a href={`/panel/webhooks/${webhookId}`}>{messages.toWebhook}</a>
      </p>
    </div>
  );
}
