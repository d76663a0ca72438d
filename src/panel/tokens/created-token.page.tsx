import type { CreatedToken } from '../../auth/tokens/api-token.service';
import { FirstOrderCall } from '../first-run/first-order-call';
import { Secret, useMessages, useVisit } from '../layout/components';

/** The one page that ever shows a token, once: until then it waits in the session, sealed. */
export function CreatedTokenPage({ created, baseUrl }: { created: CreatedToken; baseUrl: string }) {
  const messages = useMessages('token');
  const { locale } = useVisit();
  const canOrder = created.row.permissions.includes('delegate');
  return (
    <div class="narrow">
      <h1>{messages.createdTitle}</h1>
      <p class="notice" role="status">
        {messages.once}
      </p>
      <p id="token-label">{messages.yourToken(<strong>{created.row.name}</strong>)}</p>
      <Secret id="token" text={created.token} copy={messages.copy} copied={messages.copied} />
      <p>
        <button
          type="button"
          class="secondary"
          hidden
          data-call="/api/user/token"
          data-token="token"
          data-shows="first-answer"
        >
          {messages.callNow}
        </button>
      </p>
      <pre id="first-answer" class="breakable" role="status" hidden />
      {canOrder ? (
        <>
          <p>{messages.orderFirst}</p>
          <FirstOrderCall baseUrl={baseUrl} />
        </>
      ) : (
        <>
          <p>{messages.tryFirst}</p>
          <pre class="breakable">
            <code>{`curl ${baseUrl}/api/user/balance -H "Authorization: Bearer $TOKEN"`}</code>
          </pre>
        </>
      )}
      <p>
        <a href={`/docs/${locale}/first-order`}>{messages.firstOrder}</a>
      </p>
      <p>
        <a href="/panel/tokens">{messages.done}</a>
      </p>
    </div>
  );
}
