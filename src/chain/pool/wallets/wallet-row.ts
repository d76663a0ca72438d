import type { KeyOwner } from '../../transactions/signing/signing-keys';
import type { KeyRole, WalletRole } from '../../transactions/signing/wallet-role';
import type { Unfreezing } from '../../tron/node/unfreezing';
import type { StoredUnfreezing, WalletRefusal, WalletState } from './pool-wallet.entity';

/** A pool wallet with what is promised from it, as the hand-written SQL reads it. */
export interface WalletRow {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly role: WalletRole;
  readonly state: WalletState;
  readonly key_source: string;
  readonly permission_id: number;
  readonly delegable_sun: bigint;
  readonly stake_sun: bigint;
  readonly balance_sun: bigint;
  readonly bandwidth: bigint;
  readonly free_bandwidth: bigint;
  readonly observed_block: bigint;
  readonly observed_at: Date | null;
  readonly reserved_sun: bigint;
  readonly transactions_due: bigint;
  readonly refusals: number;
  /** New orders take other wallets for now, by the database's clock. */
  readonly rests: boolean;
  readonly resting_until: Date | null;
  readonly last_refusal: WalletRefusal | null;
}

/** For people who look at the pool. */
export type ListedWalletRow = WalletRow & {
  /** By the database's clock, which has written `observed_at` too; null: it was never read. */
  readonly read_ms_ago: number | null;
  readonly used_energy_sun: bigint;
  readonly unfreezing: readonly StoredUnfreezing[];
};

/** A wallet that takes orders. */
export type OpenWalletRow = WalletRow & { readonly has_closed_pairs: boolean };

export type LockedWallet = Pick<
  WalletRow,
  'id' | 'name' | 'address' | 'role' | 'state' | 'key_source' | 'permission_id'
>;

export type WalletSummary = Pick<WalletRow, 'name' | 'address' | 'role'> & { readonly state: WalletState | 'removed' };

/** A wallet with one of its keys: its own, or that of its care. */
export type KeyedWallet = Pick<WalletRow, 'id' | 'name' | 'address' | 'key_source' | 'permission_id'> & {
  readonly role: KeyRole;
};

/** The form that signing takes. */
export function keyOwner(row: KeyedWallet): KeyOwner {
  const { name, address, role, key_source: keySource, permission_id: permissionId } = row;
  return { name, address, role, keySource, permissionId };
}

export function unfreezingOf({ unfreezing }: Pick<ListedWalletRow, 'unfreezing'>): Unfreezing[] {
  return unfreezing.map((entry) => ({ ...entry, sun: BigInt(entry.sun) }));
}

/** Stake for energy that lends nothing, for it is on its way back to the balance. */
export function unfreezingEnergySun(row: Pick<ListedWalletRow, 'unfreezing'>): bigint {
  return unfreezingOf(row).reduce((sum, { resource, sun }) => (resource === 'ENERGY' ? sum + sun : sum), 0n);
}

export function freeSun(row: WalletRow): bigint {
  const free = row.delegable_sun - row.reserved_sun;
  return free > 0n ? free : 0n;
}
