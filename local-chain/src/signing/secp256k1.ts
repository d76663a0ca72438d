import { createRequire } from 'node:module';
import { utils } from 'tronweb';
import { ORDER, recoverPublicKey } from './curve.arithmetic';

interface NativeSecp256k1 {
  ecdsaRecover(signature: Uint8Array, recovery: number, hash: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(hash: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number };
  publicKeyCreate(key: Uint8Array, compressed: boolean): Uint8Array;
}

/** The native library recovers ten times as fast, but has no build for every platform; tronweb's own works everywhere. */
const native = ((): NativeSecp256k1 | undefined => {
  try {
    return createRequire(__filename)('secp256k1/bindings') as NativeSecp256k1;
  } catch {
    return undefined;
  }
})();

/** Takes the key's two coordinates, or a key of another kind as it is. */
export const addressOfPublicKey = (coordinates: Uint8Array): Buffer =>
  Buffer.from(`41${utils.ethersUtils.keccak256(coordinates).slice(26)}`, 'hex');

/** tronweb recovers from the lower of the two equal values of s alone; a node takes both. */
function lowered(signature: Buffer, recovery: number): string {
  const s = BigInt(`0x${signature.toString('hex', 32)}`);
  const high = s > ORDER / 2n;
  const low = (high ? ORDER - s : s).toString(16).padStart(64, '0');
  return signature.toString('hex', 0, 32) + low + (27 + (high ? recovery ^ 1 : recovery)).toString(16);
}

export const recoverWithTronweb = (hash: Buffer, signature: Buffer, recovery: number): Buffer =>
  Buffer.from(utils.crypto.ecRecover(hash.toString('hex'), lowered(signature, recovery)), 'hex');

/**
 * The address that made a signature (64 bytes and a recovery number), or undefined when no key could have. The libraries refuse numbers
 * that java-tron still computes with, or refuses in its own words.
 * @throws CurveError
 */
export function recoverAddress(hash: Buffer, signature: Buffer, recovery: number): Buffer | undefined {
  try {
    if (native) return addressOfPublicKey(native.ecdsaRecover(signature, recovery, hash, false).subarray(1));
    return recoverWithTronweb(hash, signature, recovery);
  } catch {
    const coordinates = recoverPublicKey(hash, signature, recovery);
    return coordinates && addressOfPublicKey(coordinates);
  }
}

/** The last byte is 27 and the recovery number, as in transactions. */
export function sign(hash: Buffer, privateKey: string): Buffer {
  if (!native) return Buffer.from(utils.crypto.ECKeySign(hash, [...Buffer.from(privateKey, 'hex')]), 'hex');
  const { signature, recid } = native.ecdsaSign(hash, Buffer.from(privateKey, 'hex'));
  return Buffer.concat([signature, Buffer.from([27 + recid])]);
}

export function addressOfKey(privateKey: string): Buffer {
  if (native) return addressOfPublicKey(native.publicKeyCreate(Buffer.from(privateKey, 'hex'), false).subarray(1));
  return Buffer.from(utils.address.toHex(utils.address.fromPrivateKey(privateKey) as string), 'hex');
}
