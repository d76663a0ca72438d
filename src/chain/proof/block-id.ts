import { createHash } from 'node:crypto';
import { bytesField, integerField, joinFields } from './protobuf';

type Json = Record<string, unknown>;

/** protocol.BlockHeader.raw, by field number. */
const FIELDS = [
  [1, 'timestamp', integerField],
  [2, 'txTrieRoot', bytesField],
  [3, 'parentHash', bytesField],
  [7, 'number', integerField],
  [8, 'witness_id', integerField],
  [9, 'witness_address', bytesField],
  [10, 'version', integerField],
  [11, 'accountStateRoot', bytesField],
] as const;
const KNOWN = new Set<string>(FIELDS.map(([, name]) => name));

/** Header fields that this version does not know. With any of them, the id cannot be computed. */
export function unknownFields(raw: Json): string[] {
  return Object.keys(raw).filter((name) => !KNOWN.has(name));
}

/** The hash of all fields of a header: what its witness signs. Null when a field cannot be encoded. */
export function headerHash(raw: Json): Buffer | null {
  const bytes = joinFields(FIELDS.map(([number, name, encode]) => encode(number, raw[name])));
  return bytes && createHash('sha256').update(bytes).digest();
}

/**
 * The id of the block with this header: its height in 8 bytes, then the hash of all its fields, so that no field can be wrong without
 * the id being wrong too. Null when a field cannot be encoded.
 */
export function blockIdOf(raw: Json): string | null {
  const hash = headerHash(raw);
  const height = BigInt((raw['number'] ?? 0) as number | bigint);
  return hash && height.toString(16).padStart(16, '0') + hash.toString('hex').slice(16);
}
