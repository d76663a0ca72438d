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

/** The second step of signing in. */
export function CodePage({ problem }: { problem?: FormProblem }) {
  const messages = useMessages('access');
  return (
    <>
      <h1>{messages.codeTitle}</h1>
      <PostForm problem={problem}>
        <Field
          name="code"
          label={messages.code}
          hint={messages.codeHint}
          autocomplete="one-time-code"
          spellcheck={false}
          required
          autofocus
        />
        <button type="submit">{messages.codeSubmit}</button>
      </PostForm>
      <p>
        <small>{messages.codeLost}</small>
      </p>
      <p>
        <a href="/panel/sign-in">{messages.otherUser}</a>
      </p>
    </>
  );
}
