import { useMessages } from '../layout/current-page';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { SIGN_IN_MESSAGES } from '../messages/sign-in.messages';

interface Props {
  readonly email?: string;
  readonly problem?: FormProblem;
}

export function SignInPage({ email = '', problem }: Props) {
  const messages = useMessages(SIGN_IN_MESSAGES);
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
