import { type Form, textOf } from '../http/form';
import type { SignedInVisit } from '../http/page-context';
import { Choices, Field } from '../layout/fields';
import { FormKey } from '../layout/form-key';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import type { UserWords } from '../messages/user.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly path: string;
  readonly words: UserWords;
  readonly form?: Form;
  readonly problem?: FormProblem;
}

/** Leads to a question: Enter alone moves no money. */
export function MovementForm({ visit, path, words, form, problem }: Props) {
  const typed = (name: string) => ({ name, value: textOf(form, name), autocomplete: 'off' });
  return (
    <PostForm visit={visit} action={`${path}/movements`} class="inline" label={words.money} problem={problem}>
      <FormKey form={form} />
      <Choices
        type="radio"
        name="kind"
        label={words.movement}
        chosen={[textOf(form, 'kind')]}
        required
        options={[
          { value: 'credit', label: words.credit },
          { value: 'debit', label: words.debit },
        ]}
      />
      <Field {...typed('amount')} label={words.amount} required inputmode="decimal" />
      <Field {...typed('note')} label={words.reason} hint={words.reasonHint} required />
      <Field {...typed('reference')} label={words.reference} hint={words.referenceHint} />
      <button type="submit">{words.goOn}</button>
    </PostForm>
  );
}
