import { PreferencesForm } from '../account/preferences.form';
import type { SignedInPageContext } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { Facts } from '../layout/values';
import { SIGN_IN_MESSAGES } from '../messages/sign-in.messages';
import { NewPasswordFields } from './password-fields';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly sessions: number;
  readonly problem?: FormProblem;
}

export function AccountPage({ pageContext, sessions, problem }: Props) {
  const messages = SIGN_IN_MESSAGES[pageContext.locale];
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
      <h2>{messages.sessionsTitle}</h2>
      <p>{messages.sessions(sessions)}</p>
      <PostForm pageContext={pageContext} action="/panel/sign-out-everywhere">
        <button type="submit" class="secondary">
          {messages.everywhere}
        </button>
      </PostForm>
      <h2>{messages.changeTitle}</h2>
      <div class="narrow">
        <PostForm pageContext={pageContext} problem={problem}>
          <input type="email" name="username" value={email} autocomplete="username" hidden readonly />
          <Field name="current" type="password" label={messages.current} autocomplete="current-password" required />
          <NewPasswordFields pageContext={pageContext} />
          <button type="submit">{messages.setPassword}</button>
        </PostForm>
      </div>
    </>
  );
}
