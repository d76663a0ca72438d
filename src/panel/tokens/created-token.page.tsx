import type { CreatedToken } from '../../auth/tokens/api-token.service';
import type { SignedInVisit } from '../http/page-context';
import { CopyButton } from '../layout/copy-button';
import { LAYOUT_WORDS } from '../messages/layout.messages';
import { TOKEN_WORDS } from '../messages/token.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly created: CreatedToken;
  readonly baseUrl: string;
}

/** The one page that ever shows a token: it is the answer to the form, and stored nowhere. */
export function CreatedTokenPage({ visit, created, baseUrl }: Props) {
  const words = TOKEN_WORDS[visit.locale];
  const canRead = created.row.permissions.includes('balance');
  const route = canRead ? '/api/user/balance' : '/api/chain/delegations';
  return (
    <div class="narrow">
      <h1>{words.createdTitle}</h1>
      <p class="notice" role="status">
        {words.once}
      </p>
      <p id="token-label">
        {words.yourToken} <strong>{created.row.name}</strong>
      </p>
      <code class="secret" id="token" aria-labelledby="token-label" role="textbox" aria-readonly="true" tabindex={0}>
        {created.token}
      </code>
      <p>
        <CopyButton
          source="token"
          name={words.copy}
          done={words.copied}
          selected={LAYOUT_WORDS[visit.locale].selected}
        />
      </p>
      <p>{words.tryFirst}</p>
      <pre class="breakable">
        <code>{`curl ${baseUrl}${route} -H "Authorization: Bearer $TOKEN"`}</code>
      </pre>
      <p>
        <a href="/panel/tokens">{words.done}</a>
      </p>
    </div>
  );
}
