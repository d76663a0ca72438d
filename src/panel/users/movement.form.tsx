import type { Form } from '../http/form';
import { Choices, Field, FormKey, type FormProblem, PostForm, useMessages } from '../layout/components';

/** Leads to a confirmation: Enter alone moves no money. */
export function MovementForm({ path, form, problem }: { path: string; form?: Form; problem?: FormProblem }) {
  const messages = useMessages('user');
  return (
    <PostForm action={`${path}/movements`} class="inline" label={messages.money} form={form} problem={problem}>
      <FormKey form={form} />
      <Choices
        type="radio"
        name="kind"
        label={messages.movement}
        required
        options={[
          { value: 'credit', label: messages.credit },
          { value: 'debit', label: messages.debit },
        ]}
      />
      <Field name="amount" label={messages.amount} required inputmode="decimal" autocomplete="off" />
      <Field name="note" label={messages.reason} hint={messages.reasonHint} required autocomplete="off" />
      <Field name="reference" label={messages.reference} hint={messages.referenceHint} autocomplete="off" />
      <button type="submit">{messages.goOn}</button>
    </PostForm>
  );
}
