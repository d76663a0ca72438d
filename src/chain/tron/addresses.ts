import { TronWeb, utils } from 'tronweb';

/** base58check to the lower-case `41…` hex that node requests take. */
export function toHexAddress(base58: string): string {
  return TronWeb.address.toHex(base58).toLowerCase();
}

export function toBase58Address(hex: string): string {
  return TronWeb.address.fromHex(hex);
}

/** The base58check address of a private key; null when the text is not a private key. */
export function addressOfKey(privateKeyHex: string): string | null {
  const address = TronWeb.address.fromPrivateKey(privateKeyHex);
  return typeof address === 'string' ? address : null;
}

/** The `41…` hex of a public key, which may be compressed. */
export function hexOfPublicKey(publicKey: Uint8Array): string {
  const whole = utils.ethersUtils.SigningKey.computePublicKey(publicKey, false);
  return Buffer.from(utils.crypto.computeAddress(Buffer.from(whole.slice(2), 'hex'))).toString('hex');
}

export function isAddress(text: string): boolean {
  return text.startsWith('T') && TronWeb.isAddress(text);
}
