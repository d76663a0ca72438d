import { toHexAddress } from '../../../chain/tron/addresses';
import { DomainError } from '../../../common/errors/domain.error';
import { readSweep, txIdOf } from '../sweep-bytes';
import type { SignedEntry, SweepEntry } from '../sweep-file';
import type { SweepKeys } from './sweep-keys';

/** A plan's bytes expire 12 hours after their own time, which is the chain's: this machine's clock may be another one. */
const LONGEST_LIFETIME_MS = 13 * 3_600_000;

export interface Signing {
  /** The only address that anything is signed for. */
  readonly to: string;
  /** The only contract whose token is moved. */
  readonly usdt: string;
  readonly keys: SweepKeys;
  readonly nowMs: number;
}

/**
 * Signs all of a plan, or nothing. The file comes from a machine that may be in other hands: each transaction is judged by its bytes, and
 * has to say what the file says of it. @throws DomainError
 */
export function signSweeps(entries: readonly SweepEntry[], signing: Signing): SignedEntry[] {
  const seen = new Set<string>();
  for (const { id, address, asset } of entries) {
    for (const name of [id, `${address} ${asset}`]) {
      if (seen.has(name)) throw new DomainError('sweep.not-signed', { address, reason: 'the file has it twice' });
      seen.add(name);
    }
  }
  for (const entry of entries) {
    const reason = refusalOf(entry, signing);
    if (reason !== null) throw new DomainError('sweep.not-signed', { address: entry.address, reason });
  }
  return entries.map((entry) => ({
    ...entry,
    signature: signing.keys.signAt(entry.number, txIdOf(entry.rawDataHex)),
  }));
}

function refusalOf(entry: SweepEntry, { to, usdt, keys, nowMs }: Signing): string | null {
  const { address, number, asset, amount, rawDataHex } = entry;
  const bytes = readSweep(rawDataHex, asset);
  if (typeof bytes === 'string') return `its bytes are no transfer of ${asset}: ${bytes}`;
  const { raw, owner, to: destination, amount: moved, token } = bytes;
  const own = toHexAddress(address);
  if (owner !== own) return 'its bytes have another owner';
  if (keys.addressAt(number) !== own) return `the key at 0/${number} makes another address`;
  if (token !== null && token !== toHexAddress(usdt)) return `its bytes call another contract than ${usdt}`;
  if (destination !== toHexAddress(to)) return `its bytes do not pay ${to}`;
  if (moved !== amount || amount <= 0n) return 'its bytes move another amount';
  if (Number(raw.expirationMs) <= nowMs) return 'it has expired: make another plan';
  if (Number(raw.expirationMs - raw.timestampMs) > LONGEST_LIFETIME_MS) return 'it expires later than a plan does';
  return null;
}
