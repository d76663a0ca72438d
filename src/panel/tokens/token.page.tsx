import type { SignedInVisit } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { Facts, Instant } from '../layout/values';
import type { TokenRow } from './token.queries';
import { TOKEN_WORDS } from '../messages/token.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly token: TokenRow;
}

interface TokenPageProps extends Props {
  /** A new name that was refused. */
  readonly typed?: string;
  readonly problem?: FormProblem;
}

export function TokenPage({ visit, token, typed = token.name, problem }: TokenPageProps) {
  const words = TOKEN_WORDS[visit.locale];
  return (
    <>
      <h1>{token.name}</h1>
      <TokenFacts visit={visit} token={token} />
      {token.state !== 'revoked' && (
        <>
          <h2>{words.rename}</h2>
          <PostForm visit={visit} action={`/panel/tokens/${token.id}`} class="inline" problem={problem}>
            <Field name="name" label={words.name} value={typed} required autocomplete="off" />
            <button type="submit">{words.save}</button>
          </PostForm>
          <h2>{words.revoke}</h2>
          <p>{words.revokeText}</p>
          <form method="get" action={`/panel/tokens/${token.id}/revoke`}>
            <button type="submit" class="danger">
              {words.revoke}
            </button>
          </form>
        </>
      )}
    </>
  );
}

interface RevokeProps extends Props {
  /** Of the token. */
  readonly path: string;
  readonly back: string;
  /** Whose token it is, when it is not the reader's. */
  readonly owner?: string;
}

/** The question before a token is revoked, by its user or by an operator. */
export function RevokeTokenPage({ visit, token, path, back, owner }: RevokeProps) {
  const words = TOKEN_WORDS[visit.locale];
  return (
    <>
      <h1>{words.revokeTitle}</h1>
      <p>
        <strong>{token.name}</strong>
        {owner && ` · ${owner}`}
      </p>
      <TokenFacts visit={visit} token={token} />
      <p>{words.revokeText}</p>
      <div class="buttons">
        <PostForm visit={visit} action={`${path}/revoke`}>
          <button type="submit" class="danger">
            {words.revokeNow}
          </button>
        </PostForm>
        <a href={back}>{words.cancel}</a>
      </div>
    </>
  );
}

function TokenFacts({ visit, token }: Props) {
  const words = TOKEN_WORDS[visit.locale];
  return (
    <Facts
      facts={[
        [words.prefix, <code key="prefix">{token.prefix}…</code>],
        [words.permissions, <code key="permissions">{token.permissions.join(', ')}</code>],
        [words.state, words[token.state]],
        [words.created, <Instant key="created" at={token.created_at} />],
        [words.expiresAt, <Instant key="expires" at={token.expires_at} none={words.never} />],
        [words.lastUsed, <Instant key="used" at={token.last_used_at} none={words.never} />],
      ]}
    />
  );
}
