import { createRequire } from 'node:module';

interface Secp256k1 {
  ecdsaSign(digest: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number };
  /** @throws when no such key exists */
  ecdsaRecover(signature: Uint8Array, recid: number, digest: Uint8Array, compressed: boolean): Uint8Array;
}

/**
 * The optional native package, or null where it has no binding: tronweb does the same in JavaScript, about fifteen times slower. Asked by
 * the binding's own name, for under the package's name an unmaintained library would sign in its place, unnoticed.
 */
export function loadNativeSecp256k1(load: (name: string) => unknown = createRequire(__filename)): Secp256k1 | null {
  try {
    return load('secp256k1/bindings') as Secp256k1;
  } catch {
    return null;
  }
}

export const nativeSecp256k1 = loadNativeSecp256k1();
