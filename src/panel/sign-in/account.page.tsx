import type { SignedInVisit } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { Facts } from '../layout/values';
import { NewPasswordFields } from './password-fields';
import { SIGN_IN_WORDS } from '../messages/sign-in.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly sessions: number;
  readonly problem?: FormProblem;
}

export function AccountPage({ visit, sessions, problem }: Props) {
  const words = SIGN_IN_WORDS[visit.locale];
  const { name, email, operator } = visit.user;
  return (
    <>
      <h1>{words.accountTitle}</h1>
      <Facts
        facts={[
          [words.signedInAs, `${name} · ${email}`],
          [words.role, operator ? words.operator : words.user],
        ]}
      />
      <h2>{words.sessionsTitle}</h2>
      <p>{words.sessions(sessions)}</p>
      <PostForm visit={visit} action="/panel/sign-out-everywhere">
        <button type="submit" class="secondary">
          {words.everywhere}
        </button>
      </PostForm>
      <h2>{words.changeTitle}</h2>
      <div class="narrow">
        <PostForm visit={visit} problem={problem}>
          <input type="email" name="username" value={email} autocomplete="username" hidden readonly />
          <Field name="current" type="password" label={words.current} autocomplete="current-password" required />
          <NewPasswordFields visit={visit} />
          <button type="submit">{words.setPassword}</button>
        </PostForm>
      </div>
    </>
  );
}
