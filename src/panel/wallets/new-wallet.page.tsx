import { type Form, textOf } from '../http/form';
import { useMessages } from '../layout/current-page';
import { Choices, Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { WalletKeyFields } from './wallet-key-fields';

export function NewWalletPage({ form, problem }: { form?: Form; problem?: FormProblem }) {
  const messages = useMessages('wallet');
  return (
    <div class="narrow">
      <h1>{messages.newWallet}</h1>
      <p>{messages.newText}</p>
      <PostForm action="/panel/operator/wallets/new" problem={problem}>
        <Field name="name" label={messages.name} value={textOf(form, 'name')} required autofocus autocomplete="off" />
        <Field
          name="address"
          label={messages.address}
          hint={messages.addressHint}
          value={textOf(form, 'address')}
          required
          autocomplete="off"
          spellcheck={false}
        />
        <Choices
          type="radio"
          name="role"
          label={messages.role}
          chosen={[textOf(form, 'role') || 'delegate']}
          options={[
            { value: 'delegate', label: 'delegate', hint: messages.delegateHint },
            { value: 'activate', label: 'activate', hint: messages.activateHint },
          ]}
        />
        <WalletKeyFields form={form} mayStay={false} />
        <div class="buttons">
          <button type="submit">{messages.add}</button>
          <a href="/panel/operator/wallets">{messages.cancel}</a>
        </div>
      </PostForm>
    </div>
  );
}
