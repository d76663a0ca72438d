import { type Form, textOf } from '../http/form';
import type { SignedInVisit } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { SettingsFields } from './settings-fields';
import { typedSettings } from './settings-form';
import { USER_WORDS } from '../messages/user.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly priced: boolean;
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export function NewUserPage({ visit, priced, form, problem }: Props) {
  const words = USER_WORDS[visit.locale];
  return (
    <div class="narrow">
      <h1>{words.newUser}</h1>
      <PostForm visit={visit} action="/panel/operator/users/new" problem={problem}>
        <Field
          name="email"
          type="email"
          label={words.email}
          value={textOf(form, 'email')}
          required
          autofocus
          autocomplete="off"
        />
        <SettingsFields words={words} typed={typedSettings(form)} priced={priced} />
        <button type="submit">{words.create}</button>
      </PostForm>
    </div>
  );
}
