import { createRequire } from 'node:module';

export interface NativeSecp256k1 {
  ecdsaSign(digest: Uint8Array, key: Uint8Array): { readonly signature: Uint8Array; readonly recid: number };
}

/**
 * libsecp256k1 by the optional package, or null where it has no binding. Asked by the binding's own name: under the package's name JavaScript
 * of another library would sign in its place, unnoticed.
 */
export function loadNative(load: (name: string) => unknown = createRequire(__filename)): NativeSecp256k1 | null {
  try {
    return load('secp256k1/bindings') as NativeSecp256k1;
  } catch {
    return null;
  }
}

export const native = loadNative();
