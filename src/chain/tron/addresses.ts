import { TronWeb } from 'tronweb';

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

export function isAddress(text: string): boolean {
  return text.startsWith('T') && TronWeb.isAddress(text);
}
