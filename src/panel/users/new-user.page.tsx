import type { Form } from '../http/form';
import { Field, type FormProblem, PostForm, useMessages } from '../layout/components';
import { SettingsFields } from './settings-fields';

export function NewUserPage({ priced, form, problem }: { priced: boolean; form?: Form; problem?: FormProblem }) {
  const messages = useMessages('user');
  return (
    <div class="narrow">
      <h1>{messages.newUser}</h1>
      <PostForm action="/panel/operator/users/new" form={form} problem={problem}>
        <Field name="email" type="email" label={messages.email} required autofocus autocomplete="off" />
        <SettingsFields priced={priced} />
        <button type="submit">{messages.create}</button>
      </PostForm>
    </div>
  );
}
