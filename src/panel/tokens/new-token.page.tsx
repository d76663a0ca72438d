import { PERMISSIONS } from '../../users/permissions';
import type { Form } from '../http/form';
import { Choices, Field, FormKey, type FormProblem, PostForm, useMessages } from '../layout/components';
import { LimitFields } from './limit-fields';

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
      <PostForm action="/panel/tokens/new" form={form} problem={problem}>
        <FormKey form={form} />
        <Field name="name" label={messages.name} hint={messages.nameHint} required autofocus autocomplete="off" />
        <Choices
          type="checkbox"
          name="permissions"
          label={messages.permissions}
          options={PERMISSIONS.map((value) => ({ value, label: value, hint: messages[value] }))}
        />
        <Field
          name="expires"
          label={messages.expires}
          hint={messages.expiresHint}
          inputmode="numeric"
          pattern="[0-9]{1,5}"
          autocomplete="off"
        />
        <h2>{messages.limits}</h2>
        <p>{messages.limitsText}</p>
        <LimitFields />
        <div class="buttons">
          <button type="submit">{messages.save}</button>
          <a href="/panel/tokens">{messages.cancel}</a>
        </div>
      </PostForm>
    </div>
  );
}
