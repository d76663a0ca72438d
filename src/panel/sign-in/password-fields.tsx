import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../auth/passwords/password.service';
import { type Form, rawTextOf } from '../http/form';
import type { Visit } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { SIGN_IN_WORDS } from '../messages/sign-in.messages';

export function NewPasswordFields({ visit }: { visit: Visit }) {
  const words = SIGN_IN_WORDS[visit.locale];
  const rules = { type: 'password', autocomplete: 'new-password', required: true } as const;
  return (
    <>
      <Field
        {...rules}
        minlength={SHORTEST_PASSWORD}
        name="password"
        label={words.newPassword}
        hint={words.passwordHint(SHORTEST_PASSWORD)}
      />
      <Field {...rules} minlength={SHORTEST_PASSWORD} name="again" label={words.again} />
    </>
  );
}

/** What is wrong with what was typed; null when nothing is. */
export function problemOfNewPassword(form: Form, visit: Visit): FormProblem | null {
  const words = SIGN_IN_WORDS[visit.locale];
  const password = rawTextOf(form, 'password');
  const length = Array.from(password).length;
  if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
    return { field: 'password', text: words.wrongLength(SHORTEST_PASSWORD, LONGEST_PASSWORD) };
  }
  return password === rawTextOf(form, 'again') ? null : { field: 'again', text: words.different };
}
