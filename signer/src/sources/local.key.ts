import { isPrivateKey, publicKeyOf, signDigest } from '../curve/signature';
import type { SigningKey } from './signing.key';

/** As key files and variables have it: 64 hex digits, with 0x in front or blanks around them perhaps. Null: the text has no key. */
export function localKey(text: string): SigningKey | null {
  const digits = text.trim().toLowerCase().replace(/^0x/, '');
  if (!/^[0-9a-f]{64}$/.test(digits)) return null;
  const privateKey = Buffer.from(digits, 'hex');
  if (!isPrivateKey(privateKey)) return null;
  return {
    publicKey: publicKeyOf(privateKey),
    isLocal: true,
    sign: (_rawData, digest) => Promise.resolve(signDigest(digest, privateKey)),
  };
}
