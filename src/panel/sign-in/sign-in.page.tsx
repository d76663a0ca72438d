import type { Visit } from '../http/visit';
import { Field, Problem } from '../layout/fields';
import { PostForm } from '../layout/post-form';
import { SIGN_IN_WORDS } from './sign-in.words';

export function SignInPage({ visit, email = '', problem }: { visit: Visit; email?: string; problem?: string }) {
  const words = SIGN_IN_WORDS[visit.locale];
  return (
    <>
      <h1>{words.title}</h1>
      <Problem>{problem}</Problem>
      <PostForm visit={visit}>
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
