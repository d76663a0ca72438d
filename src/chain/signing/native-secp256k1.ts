import { createRequire } from 'node:module';

interface Secp256k1 {
  ecdsaSign(digest: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number };
  /** @throws when there is no such key */
  ecdsaRecover(signature: Uint8Array, recid: number, digest: Uint8Array, compressed: boolean): Uint8Array;
}

/** The optional native package, or null where it is not installed: tronweb does the same in JavaScript, about fifteen times slower. */
export const nativeSecp256k1 = load();

function load(): Secp256k1 | null {
  try {
    return createRequire(__filename)('secp256k1') as Secp256k1;
  } catch {
    return null;
  }
}
