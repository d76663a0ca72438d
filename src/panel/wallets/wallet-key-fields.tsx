import { holdsKey } from '../../chain/transactions/signing/key-source';
import type { ShownPermission } from '../../chain/pool/doctor/look-at-account';
import { Choice, Field, useMessages, useShown } from '../layout/components';
import { PermissionChoices } from './account-look';

interface Props {
  /** What is left empty stays as the wallet has it. */
  readonly mayStay: boolean;
  readonly permissionHint?: string;
  /** To choose from, where a node has shown the account. */
  readonly permissions?: readonly ShownPermission[];
}

/** Where the key is, never the key: one that was typed is not sent back. */
export function WalletKeyFields({ mayStay, permissionHint, permissions }: Props) {
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
      {permissions ? (
        <PermissionChoices permissions={permissions} />
      ) : (
        <Field
          name="permission_id"
          label={messages.permission}
          hint={permissionHint ?? (mayStay ? messages.permissionStays : messages.permissionHint)}
          inputmode="numeric"
          autocomplete="off"
        />
      )}
    </>
  );
}
