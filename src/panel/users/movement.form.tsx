import { type Form, textOf } from '../http/form';
import { useMessages } from '../layout/current-page';
import { Choices, Field } from '../layout/fields';
import { FormKey } from '../layout/form-key';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';

/** Leads to a confirmation: Enter alone moves no money. */
export function MovementForm({ path, form, problem }: { path: string; form?: Form; problem?: FormProblem }) {
  const messages = useMessages('user');
  const typed = (name: string) => ({ name, value: textOf(form, name), autocomplete: 'off' });
  return (
    <PostForm action={`${path}/movements`} class="inline" label={messages.money} problem={problem}>
      <FormKey form={form} />
      <Choices
        type="radio"
        name="kind"
        label={messages.movement}
        chosen={[textOf(form, 'kind')]}
        required
        options={[
          { value: 'credit', label: messages.credit },
          { value: 'debit', label: messages.debit },
        ]}
      />
      <Field {...typed('amount')} label={messages.amount} required inputmode="decimal" />
      <Field {...typed('note')} label={messages.reason} hint={messages.reasonHint} required />
      <Field {...typed('reference')} label={messages.reference} hint={messages.referenceHint} />
      <button type="submit">{messages.goOn}</button>
    </PostForm>
  );
}
