import { PERMISSIONS } from '../../auth/tokens/api-token.entity';
import { type Form, choicesOf, textOf } from '../http/form';
import type { SignedInVisit } from '../http/page-context';
import { FormKey } from '../layout/form-key';
import { Choices, Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { TOKEN_WORDS } from '../messages/token.messages';

interface Props {
  readonly visit: SignedInVisit;
  /** What was typed before; none on the first visit. */
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export function NewTokenPage({ visit, form, problem }: Props) {
  const words = TOKEN_WORDS[visit.locale];
  return (
    <div class="narrow">
      <h1>{words.newToken}</h1>
      <PostForm visit={visit} action="/panel/tokens/new" problem={problem}>
        <FormKey form={form} />
        <Field
          name="name"
          label={words.name}
          hint={words.nameHint}
          value={textOf(form, 'name')}
          required
          autofocus
          autocomplete="off"
        />
        <Choices
          type="checkbox"
          name="permissions"
          label={words.permissions}
          chosen={choicesOf(form, 'permissions')}
          options={PERMISSIONS.map((value) => ({ value, label: value, hint: words[value] }))}
        />
        <Field
          name="expires"
          label={words.expires}
          hint={words.expiresHint}
          value={textOf(form, 'expires')}
          inputmode="numeric"
          pattern="[0-9]{1,5}"
          autocomplete="off"
        />
        <div class="buttons">
          <button type="submit">{words.save}</button>
          <a href="/panel/tokens">{words.cancel}</a>
        </div>
      </PostForm>
    </div>
  );
}
