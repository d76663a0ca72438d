import type { Invited } from '../../auth/invitations/invitation.service';
import type { Form } from '../http/form';
import { Field, type FormProblem, PostForm, useMessages } from '../layout/components';
import { EndTokensField, NewPasswordFields, tokensChosen } from './password-fields';

interface Props {
  readonly invited: Invited;
  readonly problem?: FormProblem;
  readonly form?: Form;
}

export function InvitationPage({ invited, problem, form }: Props) {
  const messages = useMessages('signIn');
  const { user } = invited;
  return (
    <>
      <h1>{user ? messages.invitationTitle : messages.firstTitle}</h1>
      {user ? (
        <p>
          {user.name} · {user.email}
        </p>
      ) : (
        <p>{messages.firstText}</p>
      )}
      <PostForm form={form ?? tokensChosen(user?.hasNewAddress)} problem={problem}>
        {user ? (
          // For password managers: whose password this is.
          <input type="email" name="username" value={user.email} autocomplete="username" hidden readonly />
        ) : (
          <>
            <Field name="name" label={messages.name} autocomplete="name" required />
            <Field name="email" type="email" label={messages.email} autocomplete="username" required />
          </>
        )}
        <NewPasswordFields first={!user} />
        {user && <EndTokensField moved={user.hasNewAddress} />}
        <button type="submit">{messages.setPassword}</button>
      </PostForm>
    </>
  );
}

export function InvalidInvitationPage() {
  const messages = useMessages('signIn');
  return (
    <>
      <h1>{messages.invalid}</h1>
      <p>{messages.invalidText}</p>
    </>
  );
}
