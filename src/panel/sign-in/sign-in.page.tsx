import { Field, type FormProblem, PostForm, useMessages } from '../layout/components';

/** What a visitor without a password can do by themselves. */
export interface WaysIn {
  readonly signUp: boolean;
  readonly forgot: boolean;
}

interface SignInProps {
  readonly ways: WaysIn;
  readonly email?: string;
  readonly problem?: FormProblem;
}

export function SignInPage({ ways, email = '', problem }: SignInProps) {
  const messages = useMessages('signIn');
  const signUp = useMessages('signUp');
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
      {ways.forgot && (
        <p>
          <a href="/panel/forgot">{signUp.forgotLink}</a>
        </p>
      )}
      {ways.signUp && (
        <p>
          {messages.noAccount} <a href="/panel/sign-up">{signUp.menu}</a>
        </p>
      )}
      {!ways.forgot && (
        <p>
          <small>{messages.forgotten}</small>
        </p>
      )}
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
