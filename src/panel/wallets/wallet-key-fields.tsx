import { holdsKey } from '../../chain/transactions/signing/key-source';
import { Choice, Field, useMessages, useShown } from '../layout/components';

/** Where the key is, never the key: one that was typed is not sent back. `mayStay`: what is left empty stays as the wallet has it. */
export function WalletKeyFields({ mayStay, permissionHint }: { mayStay: boolean; permissionHint?: string }) {
  const messages = useMessages('wallet');
  const [kind, place] = [useShown('key_kind'), useShown('key') ?? ''];
  return (
    <>
      <Choice
        name="key_kind"
        label={messages.keyKind}
        value={kind || 'env'}
        options={[
          ['env', messages.keyKinds.env],
          ['file', messages.keyKinds.file],
          ['signer', messages.keyKinds.signer],
        ]}
      />
      <Field
        name="key"
        label={messages.keyPlace}
        hint={mayStay ? messages.keyStays : messages.keyHint}
        value={holdsKey(place) ? '' : place}
        required={!mayStay}
        autocomplete="off"
        spellcheck={false}
      />
      <Field
        name="permission_id"
        label={messages.permission}
        hint={permissionHint ?? (mayStay ? messages.permissionStays : messages.permissionHint)}
        inputmode="numeric"
        autocomplete="off"
      />
    </>
  );
}
