import type { ShownAccount, ShownPermission } from '../../chain/pool/doctor/look-at-account';
import { WALLET_ROLES, type WalletRole } from '../../chain/transactions/signing/wallet-role';
import { Choices, CopyButton, Facts, LongId, Trx, useMessages, useShown } from '../layout/components';

/** What a node has said of an address: null: there is no such account; `unread`: no node has answered. */
export type AccountLook = ShownAccount | null | 'unread';

/** A permission has more operations than these: the rest is counted. */
const MOST_NAMED = 6;

export function AccountFacts({ address, account }: { readonly address: string; readonly account: AccountLook }) {
  const messages = useMessages('wallet');
  const stake = useMessages('stake');
  const known = account === 'unread' ? null : account;
  return (
    <>
      {account === 'unread' && (
        <p class="notice attention" role="status">
          {messages.accountUnread}
        </p>
      )}
      {account === null && (
        <p class="notice refused" role="status">
          {messages.noAccount}
        </p>
      )}
      {known?.energySun === 0n && (
        <p class="notice attention" role="status">
          {messages.noStake}
        </p>
      )}
      <Facts
        facts={[
          [messages.address, <LongId key="address" value={address} whole />],
          known && ['TRX', <Trx key="balance" sun={known.balanceSun} />],
          known && [stake.staked.energy, <Trx key="energy" sun={known.energySun} />],
          known && [stake.staked.bandwidth, <Trx key="bandwidth" sun={known.bandwidthSun} />],
        ]}
      />
    </>
  );
}

/** The permissions of the account to choose from; the first that fits a wallet that delegates is chosen. */
export function PermissionChoices({ permissions }: Pick<ShownAccount, 'permissions'>) {
  const messages = useMessages('wallet');
  const typed = useShown('permission_id');
  const fitting = permissions.find(({ fits, isShared }) => fits.delegate === 'exact' && !isShared);
  const chosen = typed || (fitting ? String(fitting.id) : undefined);
  const operationsText = (operations: ShownPermission['operations']) => {
    if (operations === null) return messages.everything;
    const names = operations.map((operation) => messages.operations[operation] ?? messages.operation(operation));
    return messages.named(names.slice(0, MOST_NAMED), names.length - MOST_NAMED);
  };
  return (
    <Choices
      type="radio"
      name="permission_id"
      label={messages.permission}
      chosen={chosen === undefined ? [] : [chosen]}
      required
      options={permissions.map((permission) => ({
        value: String(permission.id),
        label: messages.permissionOf(permission.id, operationsText(permission.operations)),
        hint: messages.fits[fitOf(permission)],
      }))}
    />
  );
}

function fitOf({ operations, isShared, fits }: ShownPermission) {
  if (isShared) return 'shared';
  if (operations === null) return 'owner';
  if (fits.delegate === 'exact') return 'delegate';
  if (fits.activate === 'exact') return 'activate';
  return fits.delegate === 'more' || fits.activate === 'more' ? 'more' : 'less';
}

/** How to make a key that can do no more than the service needs, to be copied. */
export function RestrictedKey({ masks }: { readonly masks: Readonly<Record<WalletRole, string>> }) {
  const messages = useMessages('wallet');
  const labels = useMessages('tryIt');
  return (
    <section>
      <h2 id="restricted-key">{messages.restrictedKey}</h2>
      <p>{messages.restrictedText}</p>
      {WALLET_ROLES.map((role) => (
        <div key={role}>
          <h3>{messages.restricted[role]}</h3>
          <pre class="breakable">
            <code id={`operations-${role}`}>{masks[role]}</code>
          </pre>
          <CopyButton source={`operations-${role}`} name={labels.copy} done={labels.copied} />
        </div>
      ))}
    </section>
  );
}
