import { ChainControlError } from '../chain/control.error';
import type { JsonObject } from '../protobuf/json.printer';
import { decodeBase58, isAddress } from '../signing/address.codec';
import { POST_QUANTUM_SCHEMES, type PostQuantumScheme } from '../signing/post-quantum';

export const textOf = (body: JsonObject, name: string): string => {
  const value = body[name];
  return typeof value === 'object' || value === undefined ? '' : String(value);
};

/** Numbers may come as numbers or as strings of digits. */
export function findInteger(body: JsonObject, name: string): bigint | undefined {
  if (body[name] === undefined) return undefined;
  const digits = textOf(body, name);
  if (!/^\d+$/.test(digits)) throw new ChainControlError(`"${name}" must be a whole number that is not negative`);
  return BigInt(digits);
}

export function findFlag(body: JsonObject, name: string): boolean {
  const flag = body[name] ?? false;
  if (typeof flag !== 'boolean') throw new ChainControlError(`"${name}" must be true or false`);
  return flag;
}

/** Falcon where none is named: of the two, the one that a network has. */
export function schemeOf(body: JsonObject): PostQuantumScheme {
  const scheme = POST_QUANTUM_SCHEMES.find((known) => known === (textOf(body, 'scheme') || POST_QUANTUM_SCHEMES[0]));
  if (!scheme) throw new ChainControlError(`"scheme" must be ${POST_QUANTUM_SCHEMES.join(' or ')}`);
  return scheme;
}

export function getInteger(body: JsonObject, name: string): bigint {
  const value = findInteger(body, name);
  if (value === undefined) throw new ChainControlError(`"${name}" is missing`);
  return value;
}

export function getAddress(body: JsonObject): string {
  const text = textOf(body, 'address');
  const address = /^41[0-9a-fA-F]{40}$/.test(text) ? Buffer.from(text, 'hex') : decodeBase58(text);
  if (!address || !isAddress(address)) throw new ChainControlError('"address" must be an address, T… or 41…');
  return address.toString('hex');
}
