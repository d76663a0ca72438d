import type { SignedInVisit } from '../../http/visit';
import { Field } from '../../layout/fields';
import { FormKey } from '../../layout/form-key';
import { PostForm } from '../../layout/post-form';
import type { UserWords } from './user.words';

export function MovementForm({ visit, path, words }: { visit: SignedInVisit; path: string; words: UserWords }) {
  return (
    <PostForm visit={visit} action={`${path}/movements`} class="inline" label={words.money}>
      <FormKey />
      <Field name="amount" label={words.amount} required inputmode="decimal" maxlength={20} autocomplete="off" />
      <Field name="note" label={words.reason} hint={words.reasonHint} required maxlength={500} autocomplete="off" />
      <Field name="reference" label={words.reference} hint={words.referenceHint} maxlength={200} autocomplete="off" />
      <button type="submit" name="kind" value="credit">
        {words.credit}
      </button>
      <button type="submit" name="kind" value="debit" class="secondary">
        {words.debit}
      </button>
    </PostForm>
  );
}
