import type { Form } from '../http/form';
import { Choices, Field, type FormProblem, PostForm, useMessages } from '../layout/components';
import { WalletKeyFields } from './wallet-key-fields';

export function NewWalletPage({ form, problem }: { form?: Form; problem?: FormProblem }) {
  const messages = useMessages('wallet');
  return (
    <div class="narrow">
      <h1>{messages.newWallet}</h1>
      <p>{messages.newText}</p>
      <PostForm action="/panel/operator/wallets/new" form={{ role: 'delegate', ...form }} problem={problem}>
        <Field name="name" label={messages.name} required autofocus autocomplete="off" />
        <Field
          name="address"
          label={messages.address}
          hint={messages.addressHint}
          required
          autocomplete="off"
          spellcheck={false}
        />
        <Choices
          type="radio"
          name="role"
          label={messages.role}
          options={[
            { value: 'delegate', label: 'delegate', hint: messages.delegateHint },
            { value: 'activate', label: 'activate', hint: messages.activateHint },
          ]}
        />
        <WalletKeyFields mayStay={false} />
        <div class="buttons">
          <button type="submit">{messages.add}</button>
          <a href="/panel/operator/wallets">{messages.cancel}</a>
        </div>
      </PostForm>
    </div>
  );
}
