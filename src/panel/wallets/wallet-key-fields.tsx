import { holdsKey } from '../../chain/transactions/signing/key-source';
import { type Form, textOf } from '../http/form';
import { useMessages } from '../layout/current-page';
import { Choice, Field } from '../layout/fields';

interface Props {
  readonly form?: Form;
  /** Of a wallet that is there: what is left empty stays. */
  readonly mayStay: boolean;
}

/** Where the key is, never the key: one that was typed is not sent back. */
export function WalletKeyFields({ form, mayStay }: Props) {
  const messages = useMessages('wallet');
  return (
    <>
      <Choice
        name="key_kind"
        label={messages.keyKind}
        value={textOf(form, 'key_kind') || 'env'}
        options={[
          ['env', messages.keyKinds.env],
          ['file', messages.keyKinds.file],
        ]}
      />
      <Field
        name="key"
        label={messages.keyPlace}
        hint={mayStay ? messages.keyStays : messages.keyHint}
        value={holdsKey(textOf(form, 'key')) ? '' : textOf(form, 'key')}
        required={!mayStay}
        autocomplete="off"
        spellcheck={false}
      />
      <Field
        name="permission_id"
        label={messages.permission}
        hint={mayStay ? messages.permissionStays : messages.permissionHint}
        value={textOf(form, 'permission_id')}
        inputmode="numeric"
        autocomplete="off"
      />
    </>
  );
}
