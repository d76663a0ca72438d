import { PERMISSIONS } from '../../auth/api-token.entity';
import { type Form, choicesOf, textOf } from '../http/form';
import type { SignedInVisit } from '../http/visit';
import { FormKey } from '../layout/form-key';
import { Checkbox, Field, Problem } from '../layout/fields';
import { PostForm } from '../layout/post-form';
import { TOKEN_WORDS } from './token.words';

interface Props {
  readonly visit: SignedInVisit;
  /** What was typed before; none on the first visit. */
  readonly form?: Form;
  readonly problem?: string;
}

export function NewTokenPage({ visit, form, problem }: Props) {
  const words = TOKEN_WORDS[visit.locale];
  const chosen = choicesOf(form, 'permissions');
  return (
    <div class="narrow">
      <h1>{words.newToken}</h1>
      <Problem>{problem}</Problem>
      <PostForm visit={visit} action="/panel/tokens/new">
        <FormKey form={form} />
        <Field
          name="name"
          label={words.name}
          hint={words.nameHint}
          value={textOf(form, 'name')}
          required
          autofocus
          maxlength={100}
          autocomplete="off"
        />
        <fieldset>
          <legend>{words.permissions}</legend>
          {PERMISSIONS.map((permission) => (
            <Checkbox
              key={permission}
              name="permissions"
              value={permission}
              label={permission}
              hint={words[permission]}
              checked={chosen.includes(permission)}
            />
          ))}
        </fieldset>
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
