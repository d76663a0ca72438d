import type { ListedToken } from '../../auth/tokens/token-list.repository';
import type { Form } from '../http/form';
import { GetButton } from '../layout/buttons';
import { Confirmation } from '../layout/confirmation';
import { useMessages, useVisit } from '../layout/current-visit';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { refilled, ShownFields } from '../layout/shown-fields';
import { Facts, Instant, Trx } from '../layout/values';
import { LimitFields, shownLimits } from './limit-fields';

interface TokenPageProps {
  readonly token: ListedToken;
  /** What was refused. */
  readonly refused?: { readonly form: 'name' | 'limits'; readonly typed: Form; readonly problem: FormProblem };
}

export function TokenPage({ token, refused }: TokenPageProps) {
  const messages = useMessages('token');
  const { locale } = useVisit();
  const name = refused?.form === 'name' ? refused : undefined;
  const limits = refused?.form === 'limits' ? refused : undefined;
  return (
    <>
      <h1>{token.name}</h1>
      <Facts facts={useTokenFacts(token)} />
      {token.state !== 'revoked' && (
        <>
          <h2>{messages.limits}</h2>
          <p>
            {messages.limitsText} <a href={`/docs/${locale}/token-limits`}>{messages.documents}</a>
          </p>
          <PostForm
            action={`/panel/tokens/${token.id}/limits`}
            form={limits ? refilled(limits.typed, shownLimits(token)) : shownLimits(token)}
            problem={limits?.problem}
          >
            <ShownFields fields={shownLimits(token)} />
            <LimitFields />
            <button type="submit">{messages.save}</button>
          </PostForm>
          <h2>{messages.rename}</h2>
          <PostForm
            action={`/panel/tokens/${token.id}`}
            class="inline"
            form={name?.typed ?? { name: token.name }}
            problem={name?.problem}
          >
            <Field name="name" label={messages.name} required autocomplete="off" />
            <button type="submit">{messages.save}</button>
          </PostForm>
          <h2>{messages.revoke}</h2>
          <p>{messages.revokeText}</p>
          <GetButton action={`/panel/tokens/${token.id}/revoke`} class="danger" text={messages.revoke} />
        </>
      )}
    </>
  );
}

interface RevokeProps {
  readonly token: ListedToken;
  /** Of the token. */
  readonly path: string;
  readonly back: string;
  /** Whose token it is, when it is not the reader's. */
  readonly owner?: string;
}

/** The confirmation before a token is revoked, by its user or by an operator. */
export function RevokeTokenPage({ token, path, back, owner }: RevokeProps) {
  const messages = useMessages('token');
  return (
    <Confirmation
      title={messages.revokeTitle}
      facts={[[messages.name, owner ? `${token.name} · ${owner}` : token.name], ...useTokenFacts(token)]}
      text={messages.revokeText}
      action={`${path}/revoke`}
      button={messages.revokeNow}
      back={back}
    />
  );
}

function useTokenFacts(token: ListedToken) {
  const messages = useMessages('token');
  return [
    [messages.prefix, <code key="prefix">{token.prefix}…</code>],
    [messages.permissions, <code key="permissions">{token.permissions.join(', ')}</code>],
    [messages.state, messages[token.state]],
    [messages.created, <Instant key="created" at={token.createdAt} />],
    [messages.expiresAt, <Instant key="expires" at={token.expiresAt} none={messages.never} />],
    [messages.lastUsed, <Instant key="used" at={token.lastUsedAt} none={messages.never} />],
    [messages.usedToday, <Trx key="today" sun={token.usedTodaySun} />],
    [messages.dailyLimit, <Limit key="daily" sun={token.dailyLimitSun} none={messages.noLimit} />],
    [messages.maxCost, <Limit key="most" sun={token.maxCostSun} none={messages.noLimit} />],
    [messages.receivers, <Listed key="receivers" items={token.receivers} none={messages.noLimit} />],
    [messages.ips, <Listed key="ips" items={token.ips} none={messages.noLimit} />],
  ] as const;
}

function Limit({ sun, none }: { sun: bigint | null; none: string }) {
  return sun === null ? <>{none}</> : <Trx sun={sun} />;
}

function Listed({ items, none }: { items: readonly string[] | null; none: string }) {
  return items === null ? <>{none}</> : <code>{items.join(', ')}</code>;
}
