import { type Form, textOf } from '../http/form';
import type { SignedInPageContext } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { USER_MESSAGES } from '../messages/user.messages';
import { SettingsFields } from './settings-fields';
import { typedSettings } from './settings-form';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly priced: boolean;
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export function NewUserPage({ pageContext, priced, form, problem }: Props) {
  const messages = USER_MESSAGES[pageContext.locale];
  return (
    <div class="narrow">
      <h1>{messages.newUser}</h1>
      <PostForm pageContext={pageContext} action="/panel/operator/users/new" problem={problem}>
        <Field
          name="email"
          type="email"
          label={messages.email}
          value={textOf(form, 'email')}
          required
          autofocus
          autocomplete="off"
        />
        <SettingsFields messages={messages} typed={typedSettings(form)} priced={priced} />
        <button type="submit">{messages.create}</button>
      </PostForm>
    </div>
  );
}
