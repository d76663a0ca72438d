import { createHash } from 'node:crypto';
import { addressOf, showAddress } from '../curve/address';
import { completeSignature } from '../curve/signature';
import { reasonOf } from '../refusal';
import { endsWithin } from './ends.within';
import { type SigningKey, WrongSignatureError } from './signing.key';

/** Not the bytes of a transaction. */
const TEXT = Buffer.from('energy-signer tries whether this key signs');
const DIGEST = createHash('sha256').update(TEXT).digest();
const COMPACT_BYTES = 64;
/** A caller that asks all the time must not keep a device or a service busy. */
const KEPT_MS = 5_000;

export interface KeyHealth {
  readonly id: string;
  readonly ok: boolean;
  readonly message: string;
}

/** Has a key sign something, to see whether it can. @throws Error */
export async function tryKey(key: SigningKey): Promise<void> {
  const signature = await endsWithin(key.sign(TEXT, DIGEST));
  const expected = completeSignature(signature.subarray(0, COMPACT_BYTES), 'compact', DIGEST, key.publicKey);
  if (!expected?.equals(signature)) throw new WrongSignatureError();
}

/** The last trial, for those who ask for the health. */
export class KeyTrial {
  private last: { readonly untilMs: number; readonly result: Promise<Omit<KeyHealth, 'id'>> } | null = null;

  constructor(private readonly key: SigningKey) {}

  result(): Promise<Omit<KeyHealth, 'id'>> {
    if (this.last && performance.now() < this.last.untilMs) return this.last.result;
    const result = tryKey(this.key).then(
      () => ({ ok: true, message: `signs as ${showAddress(addressOf(this.key.publicKey))}` }),
      (error: unknown) => ({ ok: false, message: reasonOf(error) }),
    );
    this.last = { untilMs: performance.now() + KEPT_MS, result };
    return result;
  }
}
