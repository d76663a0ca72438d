import type { Invited } from '../../auth/invitations/invitation.service';
import type { Visit } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { NewPasswordFields } from './password-fields';
import { SIGN_IN_WORDS } from '../messages/sign-in.messages';

interface Props {
  readonly visit: Visit;
  readonly invited: Invited;
  readonly problem?: FormProblem;
  readonly email?: string;
  readonly name?: string;
}

export function InvitationPage({ visit, invited, problem, email, name }: Props) {
  const words = SIGN_IN_WORDS[visit.locale];
  const { user } = invited;
  return (
    <>
      <h1>{user ? words.invitationTitle : words.firstTitle}</h1>
      {user ? (
        <p>
          {user.name} · {user.email}
        </p>
      ) : (
        <p>{words.firstText}</p>
      )}
      <PostForm visit={visit} problem={problem}>
        {user ? (
          // For password managers: whose password this is.
          <input type="email" name="username" value={user.email} autocomplete="username" hidden readonly />
        ) : (
          <>
            <Field name="name" label={words.name} value={name} autocomplete="name" required />
            <Field name="email" type="email" label={words.email} value={email} autocomplete="username" required />
          </>
        )}
        <NewPasswordFields visit={visit} />
        <button type="submit">{words.setPassword}</button>
      </PostForm>
    </>
  );
}

export function InvalidInvitationPage({ visit }: { visit: Visit }) {
  const words = SIGN_IN_WORDS[visit.locale];
  return (
    <>
      <h1>{words.invalid}</h1>
      <p>{words.invalidText}</p>
    </>
  );
}
