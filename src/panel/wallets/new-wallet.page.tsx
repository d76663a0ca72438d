import { WALLET_ROLES, type WalletRole } from '../../chain/transactions/signing/wallet-role';
import type { Form } from '../http/form';
import { Choices, Field, type FormProblem, GetForm, PostForm, useMessages } from '../layout/components';
import { AccountFacts, type AccountLook, RestrictedKey } from './account-look';
import { WalletKeyFields } from './wallet-key-fields';
import { WALLETS_PATH } from './wallet-path';

interface Props {
  /** As it was typed. */
  readonly address: string;
  /** Undefined: there is no address to look at yet. */
  readonly account: AccountLook | undefined;
  readonly masks: Readonly<Record<WalletRole, string>>;
  /** A wallet that was refused. */
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export const NEW_WALLET_PATH = `${WALLETS_PATH}/new`;

/** The address first: a node then shows what there is to choose from. */
export function NewWalletPage({ address, account, masks, ...answer }: Props) {
  const messages = useMessages('wallet');
  return (
    <div class="narrow">
      <h1>{messages.newWallet}</h1>
      {account === undefined ? (
        <AddressForm address={address} problem={answer.problem} />
      ) : (
        <WalletForm {...{ address, account }} {...answer} />
      )}
      <RestrictedKey masks={masks} />
    </div>
  );
}

function AddressForm({ address, problem }: Pick<Props, 'address' | 'problem'>) {
  const messages = useMessages('wallet');
  return (
    <>
      <p>{messages.addressText}</p>
      <GetForm action={NEW_WALLET_PATH} form={{ address }} problem={problem}>
        <Field
          name="address"
          label={messages.address}
          hint={messages.addressHint}
          required
          autofocus
          autocomplete="off"
          spellcheck={false}
        />
        <div class="buttons">
          <button type="submit">{messages.lookUp}</button>
          <a href={WALLETS_PATH}>{messages.cancel}</a>
        </div>
      </GetForm>
    </>
  );
}

function WalletForm({
  address,
  account,
  form,
  problem,
}: Omit<Props, 'masks' | 'account'> & { readonly account: AccountLook }) {
  const messages = useMessages('wallet');
  const { roles } = useMessages('operator');
  const hints = { delegate: messages.delegateHint, activate: messages.activateHint };
  return (
    <>
      <AccountFacts address={address} account={account} />
      <p>{messages.newText}</p>
      <PostForm action={NEW_WALLET_PATH} form={{ role: 'delegate', ...form }} problem={problem}>
        <input type="hidden" name="address" value={address} />
        <Field name="name" label={messages.name} required autofocus autocomplete="off" />
        <Choices
          type="radio"
          name="role"
          label={messages.role}
          options={WALLET_ROLES.map((role) => ({ value: role, label: roles[role], hint: hints[role] }))}
        />
        <WalletKeyFields
          mayStay={false}
          permissions={account === null || account === 'unread' ? undefined : account.permissions}
        />
        <div class="buttons">
          <button type="submit">{messages.add}</button>
          <a href={NEW_WALLET_PATH}>{messages.otherAddress}</a>
          <a href={WALLETS_PATH}>{messages.cancel}</a>
        </div>
      </PostForm>
    </>
  );
}
