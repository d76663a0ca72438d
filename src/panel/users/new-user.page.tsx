import { type Form, textOf } from '../http/form';
import { useMessages } from '../layout/current-page';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { SettingsFields } from './settings-fields';
import { typedSettings } from './settings-form';

export function NewUserPage({ priced, form, problem }: { priced: boolean; form?: Form; problem?: FormProblem }) {
  const messages = useMessages('user');
  return (
    <div class="narrow">
      <h1>{messages.newUser}</h1>
      <PostForm action="/panel/operator/users/new" problem={problem}>
        <Field
          name="email"
          type="email"
          label={messages.email}
          value={textOf(form, 'email')}
          required
          autofocus
          autocomplete="off"
        />
        <SettingsFields typed={typedSettings(form)} priced={priced} />
        <button type="submit">{messages.create}</button>
      </PostForm>
    </div>
  );
}
