import { utils } from 'tronweb';
import { nativeSecp256k1 } from '../../proof/native-secp256k1';

/** r, s and v as tronweb writes them. */
export function signDigest(digestHex: string, privateKeyHex: string): string {
  const digest = Buffer.from(digestHex, 'hex');
  const key = Buffer.from(privateKeyHex, 'hex');
  if (!nativeSecp256k1) return utils.crypto.ECKeySign(digest, key);
  const { signature, recid } = nativeSecp256k1.ecdsaSign(digest, key);
  return Buffer.from(signature).toString('hex') + (recid + 27).toString(16).toUpperCase();
}
