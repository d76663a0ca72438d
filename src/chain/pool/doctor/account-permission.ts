import { toBase58Address } from '../../tron/addresses';

export interface AccountPermission {
  readonly threshold: number;
  /** Contract types; null: the owner permission, which allows everything. */
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
  return readPermissions(account).get(id) ?? null;
}

/** Those that may sign transactions, by id. A witness permission is none of them: it signs blocks, and no node takes a transaction by it. */
export function readPermissions(account: Record<string, unknown>): ReadonlyMap<number, AccountPermission> {
  const actives = (account['active_permission'] ?? []) as RawPermission[];
  const owner = { ...ownerOf(account), id: 0, operations: undefined };
  return new Map([owner, ...actives].map((raw) => [raw.id ?? 0, readOne(raw)]));
}

/** An account that never changed its permissions may show none: its own key is the owner then. */
function ownerOf(account: Record<string, unknown>): RawPermission {
  const raw = account['owner_permission'] as RawPermission | undefined;
  return raw ?? { keys: [{ address: String(account['address']), weight: 1 }] };
}

function readOne(raw: RawPermission): AccountPermission {
  return {
    threshold: raw.threshold ?? 1,
    operations: raw.operations === undefined ? null : operationsOf(raw.operations),
    weights: new Map((raw.keys ?? []).map((key) => [toBase58Address(key.address), key.weight])),
  };
}

/** Whether the key alone, without any other signature, is enough. */
export function reaches({ weights, threshold }: AccountPermission, keyAddress: string): boolean {
  return (weights.get(keyAddress) ?? 0) >= threshold;
}

const MASK_BYTES = 32;

/** The field `operations` of a permission: 32 bytes, the lowest bit of each byte first. */
export function operationsMask(operations: readonly number[]): string {
  const bytes = Buffer.alloc(MASK_BYTES);
  for (const operation of operations) bytes[operation >> 3]! |= 1 << (operation & 7);
  return bytes.toString('hex');
}

function operationsOf(hex: string): Set<number> {
  const bytes = Buffer.from(hex, 'hex');
  const bits = Array.from({ length: bytes.length * 8 }, (_, bit) => bit);
  return new Set(bits.filter((bit) => (bytes[bit >> 3]! >> (bit & 7)) & 1));
}
