import { showAddress } from '../curve/address';
import type { Action, Kind } from '../protobuf/contracts';

/** One signature. */
export interface Entry {
  readonly atMs: number;
  readonly key: string;
  readonly txid: string;
  readonly kind: Kind;
  /** T…; null where the contract has none. */
  readonly receiver: string | null;
  readonly amountSun: bigint | null;
}

/** The receiver and the amount that a line has of an action. */
export function movedBy(action: Action): Pick<Entry, 'receiver' | 'amountSun'> {
  return {
    receiver: 'receiver' in action ? showAddress(action.receiver) : null,
    amountSun: 'amountSun' in action ? action.amountSun : null,
  };
}

export function printEntry({ atMs, key, txid, kind, receiver, amountSun }: Entry): string {
  const time = new Date(atMs).toISOString();
  return `${JSON.stringify({ time, key, txid, kind, receiver, amount: amountSun === null ? null : String(amountSun) })}\n`;
}

/** Null for a line that this signer did not write as a whole. */
export function parseEntry(line: string): Entry | null {
  try {
    const { time, key, txid, kind, receiver, amount } = JSON.parse(line) as Record<string, unknown>;
    const atMs = Date.parse(String(time));
    const isAmount = amount === null || (typeof amount === 'string' && /^\d{1,19}$/.test(amount));
    if (Number.isNaN(atMs) || typeof key !== 'string' || !isAmount) return null;
    if (typeof txid !== 'string' || !/^[0-9a-f]{64}$/.test(txid) || typeof kind !== 'string') return null;
    const amountSun = amount === null ? null : BigInt(amount);
    return { atMs, key, txid, kind: kind as Kind, receiver: receiver as string | null, amountSun };
  } catch {
    return null;
  }
}
