import { Field, type FormProblem, PostForm, useVisit, useMessages } from '../layout/components';
import { CSRF_FIELD } from './csrf-tokens';
import { choicesOf, type Form } from './form';

export const PASSWORD_AGAIN_FIELD = 'password_again';
const OWN_FIELDS = new Set([CSRF_FIELD, PASSWORD_AGAIN_FIELD, 'username']);

interface Props {
  /** What was sent: one of our own forms, for its token was checked before. */
  readonly form: Form;
  readonly problem?: FormProblem;
}

/** The same form once more, with a field for the password. */
export function PasswordAgainPage({ form, problem }: Props) {
  const { user } = useVisit();
  const messages = useMessages('access');
  const held = Object.keys(form).filter((name) => !OWN_FIELDS.has(name));
  return (
    <div class="narrow">
      <h1>{messages.againTitle}</h1>
      <p>{messages.againText}</p>
      <PostForm problem={problem} label={messages.againTitle}>
        {held.flatMap((name) =>
          choicesOf(form, name).map((value, index) => (
            <input key={`${name} ${index}`} type="hidden" name={name} value={value} autocomplete="off" />
          )),
        )}
        <input type="email" name="username" value={user?.email} autocomplete="username" hidden readonly />
        <Field
          name={PASSWORD_AGAIN_FIELD}
          type="password"
          label={messages.yourPassword}
          autocomplete="current-password"
          required
          autofocus
        />
        <div class="buttons">
          <button type="submit">{messages.goOn}</button>
          <a href="/panel">{useMessages('layout').cancel}</a>
        </div>
      </PostForm>
    </div>
  );
}
