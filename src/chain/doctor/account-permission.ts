import { toBase58Address } from '../addresses';

/** Contract types as bits of a permission's `operations` (TransferContract, Delegate…, UnDelegateResourceContract). */
export const TRANSFER = 1;
export const DELEGATE_RESOURCE = 57;
export const UNDELEGATE_RESOURCE = 58;

export interface AccountPermission {
  readonly threshold: number;
  /** null: the owner permission, which allows everything. */
  readonly operations: ReadonlySet<number> | null;
  /** Weight by base58check address. */
  readonly weights: ReadonlyMap<string, number>;
}

interface RawPermission {
  readonly id?: number;
  readonly threshold?: number;
  readonly operations?: string;
  readonly keys?: { readonly address: string; readonly weight: number }[];
}

/** The permission of an account as `getaccount` shows it; null when it has none with this id. */
export function readPermission(account: Record<string, unknown>, id: number): AccountPermission | null {
  const actives = (account['active_permission'] ?? []) as RawPermission[];
  const raw =
    id === 0 ? (account['owner_permission'] as RawPermission | undefined) : actives.find((active) => active.id === id);
  if (!raw) return null;
  return {
    threshold: raw.threshold ?? 1,
    operations: raw.operations === undefined ? null : operationsOf(raw.operations),
    weights: new Map((raw.keys ?? []).map((key) => [toBase58Address(key.address), key.weight])),
  };
}

/** 32 bytes, the lowest bit of each byte first. */
function operationsOf(hex: string): Set<number> {
  const bytes = Buffer.from(hex, 'hex');
  const bits = Array.from({ length: bytes.length * 8 }, (_, bit) => bit);
  return new Set(bits.filter((bit) => (bytes[bit >> 3]! >> (bit & 7)) & 1));
}
