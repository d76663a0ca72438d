import type { KeyedWallet } from '../wallets/wallet-row';
import { reaches, readPermission, readPermissions } from './account-permission';
import type { Diagnosis } from './diagnosis';

/** A wallet's key, and the account as the node shows it. */
interface Judged {
  readonly wallet: KeyedWallet;
  readonly keyAddress: string;
  /** Contract types of what the service signs by this wallet. */
  readonly needed: readonly number[];
  /** Contract types that it may sign besides. */
  readonly allowed: readonly number[];
  readonly account: Record<string, unknown>;
}

/** What the wallet's own permission lacks for what the service signs. */
export function findMissing({ wallet, keyAddress, needed, account }: Judged): Diagnosis[] {
  const { permission_id: id } = wallet;
  const missing = (reason: string, next_step: string): Diagnosis[] => [
    { kind: 'missing_permission', subject: wallet.name, reason, next_step },
  ];
  const permission = readPermission(account, id);
  if (!permission)
    return missing(
      `the account has no permission ${id}`,
      'Create it (AccountPermissionUpdate), or correct --permission-id.',
    );
  if (!reaches(permission, keyAddress))
    return missing(
      `the key's address ${keyAddress} does not reach the threshold of permission ${id}`,
      'Add the key to the permission with enough weight.',
    );
  const { operations } = permission;
  const lacking = operations === null ? [] : needed.filter((operation) => !operations.has(operation));
  if (lacking.length === 0) return [];
  return missing(
    `permission ${id} does not allow operation ${lacking.join(', ')}`,
    `Allow ${needed.join(' and ')} in the permission's operations.`,
  );
}

/**
 * What the key may do besides, by any permission of the account: a thief of the key is not bound to the one that the wallet names.
 * `ownerIsFine`: keys of the local chain are worth nothing.
 */
export function findPower({ wallet, keyAddress, needed, allowed, account }: Judged, ownerIsFine: boolean): Diagnosis[] {
  const held = [...readPermissions(account)].filter(([, permission]) => reaches(permission, keyAddress));
  const isOwner = held.some(([, { operations }]) => operations === null);
  if (isOwner && ownerIsFine) return [];
  const reasons = held.flatMap(([id, { operations }]) => {
    const extra = [...(operations ?? [])].filter(
      (operation) => !needed.includes(operation) && !allowed.includes(operation),
    );
    if (extra.length === 0) return [];
    const permission = id === wallet.permission_id ? `permission ${id}` : `permission ${id}, where the key is too,`;
    return [`${permission} also allows operation ${extra.join(', ')}`];
  });
  if (!isOwner && reasons.length === 0) return [];
  return [
    {
      kind: 'too_powerful_key',
      subject: wallet.name,
      reason: isOwner ? 'it is the owner key, which can move everything' : reasons.join('; '),
      next_step: `Use a key that is only in an active permission that allows operation ${needed.join(' and ')} alone.`,
    },
  ];
}
