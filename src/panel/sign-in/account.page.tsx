import { PreferencesForm } from '../account/preferences.form';
import type { SecondFactorView } from '../../auth/second-factors/second-factor.service';
import { Facts, Field, type FormProblem, PostButton, PostForm, useMessages, useUserVisit } from '../layout/components';
import { EndTokensField, NewPasswordFields } from './password-fields';
import { type OwnSession, SessionTable } from './session-table';

interface Props {
  /** All of them; the list is short. */
  readonly count: number;
  readonly sessions: readonly OwnSession[];
  readonly factor: SecondFactorView | null;
  /** A new address is confirmed by a mail: without mail an operator changes it. */
  readonly mails: boolean;
  readonly problem?: FormProblem;
}

export function AccountPage({ count, sessions, factor, mails, problem }: Props) {
  const { user } = useUserVisit();
  const messages = useMessages('signIn');
  const access = useMessages('access');
  const { name, email, operator } = user;
  return (
    <>
      <h1>{messages.accountTitle}</h1>
      <Facts
        facts={[
          [messages.signedInAs, `${name} · ${email}`],
          [messages.role, operator ? messages.operator : messages.user],
        ]}
      />
      {mails && <EmailForm />}
      <PreferencesForm />
      <h2>{access.factorTitle}</h2>
      <p>
        {factor ? access.factorOn : access.factorOff}{' '}
        <a href="/panel/account/second-factor">{factor ? access.manage : access.setUp}</a>
      </p>
      <h2>{messages.sessionsTitle}</h2>
      <p>{messages.sessions(count)}</p>
      <SessionTable sessions={sessions} />
      <PostButton action="/panel/sign-out-everywhere" class="secondary" text={messages.everywhere} />
      <h2>{messages.changeTitle}</h2>
      <div class="narrow">
        <PostForm action="/panel/account" problem={problem}>
          <input type="email" name="username" value={email} autocomplete="username" hidden readonly />
          <Field name="current" type="password" label={messages.current} autocomplete="current-password" required />
          <NewPasswordFields />
          <EndTokensField />
          <button type="submit">{messages.setPassword}</button>
        </PostForm>
      </div>
    </>
  );
}

function EmailForm() {
  const messages = useMessages('signUp');
  return (
    <>
      <h2>{messages.newEmailTitle}</h2>
      <PostForm action="/panel/account/email" class="inline" label={messages.newEmailTitle}>
        <Field
          name="email"
          type="email"
          label={messages.newEmail}
          hint={messages.newEmailHint}
          autocomplete="email"
          required
        />
        <button type="submit" class="secondary">
          {messages.newEmailSubmit}
        </button>
      </PostForm>
    </>
  );
}
