import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../auth/passwords/password.service';
import { type Form, rawTextOf, textOf } from '../http/form';
import type { Visit } from '../http/visit';
import { Checkbox, Field, type FormProblem, useMessages } from '../layout/components';

/** `first`: the account has none yet. */
export function NewPasswordFields({ first = false }: { first?: boolean }) {
  const messages = useMessages('signIn');
  const rules = { type: 'password', autocomplete: 'new-password', required: true } as const;
  return (
    <>
      <Field
        {...rules}
        minlength={SHORTEST_PASSWORD}
        name="password"
        label={first ? messages.password : messages.newPassword}
        hint={messages.passwordHint(SHORTEST_PASSWORD)}
      />
      <Field
        {...rules}
        minlength={SHORTEST_PASSWORD}
        name="again"
        label={first ? messages.passwordAgain : messages.again}
      />
    </>
  );
}

const TOKENS_FIELD = 'tokens';

/** Of a user who may have some: a password that others knew may have made tokens, and those outlive it. */
export function EndTokensField({ moved = false }: { moved?: boolean }) {
  const messages = useMessages('signIn');
  const hint = moved ? messages.endTokensMoved : messages.endTokensHint;
  return <Checkbox name={TOKENS_FIELD} value="revoke" label={messages.endTokens} hint={hint} />;
}

/** The first look at the form. `moved`: the account got another address since its last password, so the box is ticked until its user unticks it. */
export function tokensChosen(moved: boolean | undefined): Form | undefined {
  return moved ? { [TOKENS_FIELD]: 'revoke' } : undefined;
}

export function endsTokens(form: Form): boolean {
  return textOf(form, TOKENS_FIELD) === 'revoke';
}

/** What is wrong with what was typed; null when nothing is. */
export function problemOfNewPassword(form: Form, visit: Visit): FormProblem | null {
  const messages = visit.messages.signIn;
  const password = rawTextOf(form, 'password');
  const length = Array.from(password).length;
  if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
    return { field: 'password', text: messages.wrongLength(SHORTEST_PASSWORD, LONGEST_PASSWORD) };
  }
  return password === rawTextOf(form, 'again') ? null : { field: 'again', text: messages.different };
}
