import type { DepositSettings } from '../../config/deposits';
import { hexOfPublicKey, toBase58Address } from '../chain/tron/addresses';
import type { Queryable } from '../database/sql';
import { statement } from '../database/statement';

const NEXT = statement<[account: string], { next: number }>(
  'deposit_address_next',
  'select coalesce(max(number) + 1, 0) as next from deposit_addresses where account = $1',
);

export interface AccountAddress {
  readonly address: string;
  /** `41…` */
  readonly hex: string;
  /** The i of 0/i. */
  readonly number: number;
}

export interface KnownAddress {
  /** Null: it was left out after a restore. */
  readonly user_id: string | null;
  readonly address: string;
  readonly hex: string;
}

/** The one after the last that has a row. */
export async function nextNumber({ account }: DepositSettings, db: Queryable): Promise<number> {
  return (await db.row(NEXT, [account.fingerprint]))!.next;
}

/** By account and number, as far as they were derived: each takes some thousand multiplications on the curve. */
const derived = new Map<string, AccountAddress>();

export function addressOf({ account }: DepositSettings, number: number): AccountAddress {
  const name = `${account.fingerprint} ${number}`;
  const known = derived.get(name);
  if (known) return known;
  const hex = hexOfPublicKey(account.publicKeyAt(number));
  const address = { address: toBase58Address(hex), hex, number };
  derived.set(name, address);
  return address;
}
