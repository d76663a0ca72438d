import type { CreatedToken } from '../../auth/tokens/api-token.service';
import { CopyButton } from '../layout/copy-button';
import { useMessages } from '../layout/current-page';

/** The one page that ever shows a token, once: until then it waits in the session, sealed. */
export function CreatedTokenPage({ created, baseUrl }: { created: CreatedToken; baseUrl: string }) {
  const messages = useMessages('token');
  const canRead = created.row.permissions.includes('balance');
  const route = canRead ? '/api/user/balance' : '/api/chain/delegations';
  return (
    <div class="narrow">
      <h1>{messages.createdTitle}</h1>
      <p class="notice" role="status">
        {messages.once}
      </p>
      <p id="token-label">{messages.yourToken(<strong>{created.row.name}</strong>)}</p>
      <code class="secret" id="token" aria-labelledby="token-label" role="textbox" aria-readonly="true" tabindex={0}>
        {created.token}
      </code>
      <p>
        <CopyButton source="token" name={messages.copy} done={messages.copied} />
      </p>
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
      <p>{messages.tryFirst}</p>
      <pre class="breakable">
        <code>{`curl ${baseUrl}${route} -H "Authorization: Bearer $TOKEN"`}</code>
      </pre>
      <p>
        <a href="/panel/tokens">{messages.done}</a>
      </p>
    </div>
  );
}
