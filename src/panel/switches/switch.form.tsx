import type { SwitchName } from '../../chain/pool/switches/switch.sql';
import type { SwitchView } from '../../chain/pool/switches/switches';
import { Confirmation, Field, type FormProblem, GetButton, Instant, PostForm, useMessages } from '../layout/components';

const pathOf = (name: SwitchName): string => `/panel/operator/wallets/${name}`;

interface PauseConfirmationProps {
  readonly name: SwitchName;
  /** The status page shows the reason to everybody. */
  readonly isPublic: boolean;
  /** One that was refused. */
  readonly reason?: string;
  readonly problem?: FormProblem;
}

/** The confirmation before orders, or reclaims, are paused; others read the reason. */
export function PauseConfirmation({ name, isPublic, reason, problem }: PauseConfirmationProps) {
  const { [name]: messages, reason: label, publicReason } = useMessages('switches');
  return (
    <Confirmation
      title={messages.confirmation}
      facts={[]}
      text={messages.text}
      action={pathOf(name)}
      fields={{ [name]: 'pause' }}
      button={messages.pause}
      back="/panel/operator/wallets"
      problem={problem}
    >
      <Field name="reason" label={label} hint={isPublic ? publicReason : undefined} value={reason} autocomplete="off" />
    </Confirmation>
  );
}

/** One switch for all new orders, or all reclaims. */
export function SwitchForm({ name, state }: { name: SwitchName; state: SwitchView }) {
  const messages = useMessages('switches')[name];
  return (
    <>
      <h2>{messages.title}</h2>
      <p class={state.paused ? 'notice refused' : undefined}>
        {state.paused ? messages.off(<Instant at={state.since} />, state.reason) : messages.on}
      </p>
      {state.paused ? (
        <PostForm action={pathOf(name)} label={messages.title}>
          <button type="submit" name={name} value="resume">
            {messages.resume}
          </button>
        </PostForm>
      ) : (
        <GetButton action={pathOf(name)} class="danger" text={messages.pause} />
      )}
    </>
  );
}
