import { HDKey } from '@scure/bip32';
import { createHash } from 'node:crypto';
import { TronWeb } from 'tronweb';

/** Words that everybody knows: the keys of these tests. */
export const ACCOUNT = HDKey.fromMasterSeed(createHash('sha512').update('deposits of the tests').digest()).derive(
  "m/44'/195'/0'",
);
export const XPUB = ACCOUNT.publicExtendedKey;

/** The address 0/number, derived by tronweb from the private key: by another way than the service's. */
export const addressAt = (number: number): string => {
  const key = ACCOUNT.deriveChild(0).deriveChild(number).privateKey!;
  return TronWeb.address.fromPrivateKey(Buffer.from(key).toString('hex')) as string;
};
