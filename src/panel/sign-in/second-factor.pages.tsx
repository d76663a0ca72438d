import type { SecondFactorView } from '../../auth/second-factors/second-factor.service';
import { totpSecretText, totpUri } from '../../auth/second-factors/totp';
import { CopyButton } from '../layout/copy-button';
import { useMessages, useSignedInPage } from '../layout/current-page';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { Facts, Instant } from '../layout/values';
import { QrCode } from './qr-code';

export const SECOND_FACTOR = '/panel/account/second-factor';
const FEW = 3;

interface Props {
  readonly factor: SecondFactorView | null;
  /** By a setting, of operators. */
  readonly required: boolean;
}

/** Whether there is one, and what can be done about it. */
export function SecondFactorPage({ factor, required }: Props) {
  const messages = useMessages('access');
  return (
    <>
      <h1>{messages.factorTitle}</h1>
      {required && !factor && <p class="notice attention">{messages.factorRequired}</p>}
      <p>{factor ? messages.factorOn : messages.factorOff}</p>
      {factor ? (
        <>
          <Facts
            facts={[
              [messages.since, <Instant key="since" at={factor.createdAt} />],
              [messages.recoveryCodes, messages.recoveryLeft(factor.recoveryCodes)],
            ]}
          />
          {factor.recoveryCodes <= FEW && <p class="notice attention">{messages.recoveryFew}</p>}
          <div class="buttons">
            <FactorButton act="recovery-codes" name={messages.newCodes} />
            <FactorButton act="begin" name={messages.setUpAnew} kind="secondary" />
            {!required && <FactorButton act="remove" name={messages.turnOff} kind="danger" />}
          </div>
        </>
      ) : (
        <>
          <p>{messages.factorWhy}</p>
          <FactorButton act="begin" name={messages.setUp} />
        </>
      )}
    </>
  );
}

function FactorButton({ act, name, kind }: { act: string; name: string; kind?: string }) {
  return (
    <PostForm action={`${SECOND_FACTOR}/${act}`}>
      <button type="submit" class={kind}>
        {name}
      </button>
    </PostForm>
  );
}

/** The secret on its way into an app, and the first code out of it. */
export function ScanPage({ secret, issuer, problem }: { secret: Buffer; issuer: string; problem?: FormProblem }) {
  const { user } = useSignedInPage();
  const messages = useMessages('access');
  return (
    <div class="narrow">
      <h1>{messages.scanTitle}</h1>
      <p>{messages.scan}</p>
      <QrCode text={totpUri(secret, issuer, user.email)} title={messages.picture} />
      <p id="key-label">{messages.key}</p>
      <code class="secret" id="key" aria-labelledby="key-label" role="textbox" aria-readonly="true" tabindex={0}>
        {totpSecretText(secret)}
      </code>
      <Copy source="key" name={messages.copyKey} />
      <PostForm action={`${SECOND_FACTOR}/enable`} problem={problem}>
        <Field
          name="code"
          label={messages.code}
          hint={messages.scanHint}
          inputmode="numeric"
          autocomplete="one-time-code"
          required
        />
        <button type="submit">{messages.turnOn}</button>
      </PostForm>
    </div>
  );
}

/** The one page that ever shows them. */
export function RecoveryCodesPage({ codes }: { codes: readonly string[] }) {
  const messages = useMessages('access');
  return (
    <div class="narrow">
      <h1>{messages.codesTitle}</h1>
      <p class="notice" role="status" id="codes-label">
        {messages.codesText}
      </p>
      <pre class="secret" id="codes" aria-labelledby="codes-label" role="textbox" aria-readonly="true" tabindex={0}>
        {codes.join('\n')}
      </pre>
      <Copy source="codes" name={messages.copyCodes} />
      <p>
        <a href={SECOND_FACTOR}>{messages.codesDone}</a>
      </p>
    </div>
  );
}

function Copy({ source, name }: { source: string; name: string }) {
  return (
    <p>
      <CopyButton source={source} name={name} done={useMessages('access').copied} />
    </p>
  );
}
