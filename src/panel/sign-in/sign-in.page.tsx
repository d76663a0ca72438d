import { useMessages } from '../layout/current-page';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';

export function SignInPage({ email = '', problem }: { email?: string; problem?: FormProblem }) {
  const messages = useMessages('signIn');
  return (
    <>
      <h1>{messages.title}</h1>
      <PostForm problem={problem}>
        <Field
          name="email"
          type="email"
          label={messages.email}
          value={email}
          autocomplete="username"
          required
          autofocus
        />
        <Field name="password" type="password" label={messages.password} autocomplete="current-password" required />
        <button type="submit">{messages.submit}</button>
      </PostForm>
      <p>
        <small>{messages.forgotten}</small>
      </p>
    </>
  );
}
