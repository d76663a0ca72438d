import { PERMISSIONS } from '../../users/permissions';
import { type Form, choicesOf, textOf } from '../http/form';
import { useMessages } from '../layout/current-page';
import { Choices, Field } from '../layout/fields';
import { FormKey } from '../layout/form-key';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { LimitFields, typedLimits } from './limit-fields';

interface Props {
  /** What was typed before; none the first time. */
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export function NewTokenPage({ form, problem }: Props) {
  const messages = useMessages('token');
  return (
    <div class="narrow">
      <h1>{messages.newToken}</h1>
      <PostForm action="/panel/tokens/new" problem={problem}>
        <FormKey form={form} />
        <Field
          name="name"
          label={messages.name}
          hint={messages.nameHint}
          value={textOf(form, 'name')}
          required
          autofocus
          autocomplete="off"
        />
        <Choices
          type="checkbox"
          name="permissions"
          label={messages.permissions}
          chosen={choicesOf(form, 'permissions')}
          options={PERMISSIONS.map((value) => ({ value, label: value, hint: messages[value] }))}
        />
        <Field
          name="expires"
          label={messages.expires}
          hint={messages.expiresHint}
          value={textOf(form, 'expires')}
          inputmode="numeric"
          pattern="[0-9]{1,5}"
          autocomplete="off"
        />
        <h2>{messages.limits}</h2>
        <p>{messages.limitsText}</p>
        <LimitFields typed={typedLimits(form)} />
        <div class="buttons">
          <button type="submit">{messages.save}</button>
          <a href="/panel/tokens">{messages.cancel}</a>
        </div>
      </PostForm>
    </div>
  );
}
