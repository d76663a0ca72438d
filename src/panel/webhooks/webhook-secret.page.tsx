import { Secret, useMessages } from '../layout/components';

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
