import { PreferencesForm } from '../account/preferences.form';
import type { SecondFactorView } from '../../auth/second-factors/second-factor.service';
import type { SignedInPageContext } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { Facts } from '../layout/values';
import { ACCESS_MESSAGES } from '../messages/access.messages';
import { SIGN_IN_MESSAGES } from '../messages/sign-in.messages';
import { EndTokensField, NewPasswordFields } from './password-fields';
import { type OwnSession, SessionTable } from './session-table';

interface Props {
  readonly pageContext: SignedInPageContext;
  /** All of them; the list is short. */
  readonly count: number;
  readonly sessions: readonly OwnSession[];
  readonly factor: SecondFactorView | null;
  readonly problem?: FormProblem;
}

export function AccountPage({ pageContext, count, sessions, factor, problem }: Props) {
  const messages = SIGN_IN_MESSAGES[pageContext.locale];
  const access = ACCESS_MESSAGES[pageContext.locale];
  const { name, email, operator } = pageContext.user;
  return (
    <>
      <h1>{messages.accountTitle}</h1>
      <Facts
        facts={[
          [messages.signedInAs, `${name} · ${email}`],
          [messages.role, operator ? messages.operator : messages.user],
        ]}
      />
      <PreferencesForm pageContext={pageContext} />
      <h2>{access.factorTitle}</h2>
      <p>
        {factor ? access.factorOn : access.factorOff}{' '}
        <a href="/panel/account/second-factor">{factor ? access.manage : access.setUp}</a>
      </p>
      <h2>{messages.sessionsTitle}</h2>
      <p>{messages.sessions(count)}</p>
      <SessionTable pageContext={pageContext} sessions={sessions} />
      <PostForm pageContext={pageContext} action="/panel/sign-out-everywhere">
        <button type="submit" class="secondary">
          {messages.everywhere}
        </button>
      </PostForm>
      <h2>{messages.changeTitle}</h2>
      <div class="narrow">
        <PostForm pageContext={pageContext} action="/panel/account" problem={problem}>
          <input type="email" name="username" value={email} autocomplete="username" hidden readonly />
          <Field name="current" type="password" label={messages.current} autocomplete="current-password" required />
          <NewPasswordFields pageContext={pageContext} />
          <EndTokensField pageContext={pageContext} />
          <button type="submit">{messages.setPassword}</button>
        </PostForm>
      </div>
    </>
  );
}
