import type { Visit } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { SIGN_IN_WORDS } from '../messages/sign-in.messages';

interface Props {
  readonly visit: Visit;
  readonly email?: string;
  readonly problem?: FormProblem;
}

export function SignInPage({ visit, email = '', problem }: Props) {
  const words = SIGN_IN_WORDS[visit.locale];
  return (
    <>
      <h1>{words.title}</h1>
      <PostForm visit={visit} problem={problem}>
        <Field name="email" type="email" label={words.email} value={email} autocomplete="username" required autofocus />
        <Field name="password" type="password" label={words.password} autocomplete="current-password" required />
        <button type="submit">{words.submit}</button>
      </PostForm>
      <p>
        <small>{words.forgotten}</small>
      </p>
    </>
  );
}
