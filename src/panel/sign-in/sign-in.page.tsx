import { Field, type FormProblem, PostForm, useMessages } from '../layout/components';

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
