import type { SecondFactorView } from '../../auth/second-factors/second-factor.service';
import { totpSecretText, totpUri } from '../../auth/second-factors/totp';
import { PostButton } from '../layout/buttons';
import { QrCode } from '../layout/qr-code';
import { Secret } from '../layout/secret';
import { useMessages, useUserVisit } from '../layout/current-visit';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { Facts, Instant } from '../layout/values';

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
            <PostButton action={`${SECOND_FACTOR}/recovery-codes`} text={messages.newCodes} />
            <PostButton action={`${SECOND_FACTOR}/begin`} class="secondary" text={messages.setUpAnew} />
            {!required && <PostButton action={`${SECOND_FACTOR}/remove`} class="danger" text={messages.turnOff} />}
          </div>
        </>
      ) : (
        <>
          <p>{messages.factorWhy}</p>
          <PostButton action={`${SECOND_FACTOR}/begin`} text={messages.setUp} />
        </>
      )}
    </>
  );
}

/** The secret on its way into an app, and the first code out of it. */
export function ScanPage({ secret, issuer, problem }: { secret: Buffer; issuer: string; problem?: FormProblem }) {
  const { user } = useUserVisit();
  const messages = useMessages('access');
  return (
    <div class="narrow">
      <h1>{messages.scanTitle}</h1>
      <p>{messages.scan}</p>
      <QrCode text={totpUri(secret, issuer, user.email)} title={messages.picture} />
      <p id="key-label">{messages.key}</p>
      <Secret id="key" text={totpSecretText(secret)} copy={messages.copyKey} copied={messages.copied} />
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
      <Secret id="codes" as="pre" text={codes.join('\n')} copy={messages.copyCodes} copied={messages.copied} />
      <p>
        <a href={SECOND_FACTOR}>{messages.codesDone}</a>
      </p>
    </div>
  );
}
