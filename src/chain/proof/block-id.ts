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

/** protocol.BlockHeader.raw. Null when a field cannot be encoded. */
export function headerBytes(raw: Json): Buffer | null {
  return joinFields(FIELDS.map(([number, name, encode]) => encode(number, raw[name])));
}

/**
 * The id of the block with these header bytes: its height in 8 bytes, then the hash of all its fields, so that no field can be wrong without
 * the id being wrong too.
 */
export function idOfBytes(height: bigint, bytes: Buffer): string {
  return height.toString(16).padStart(16, '0') + headerHash(bytes).toString('hex').slice(16);
}

/** What the witness signs. */
export function headerHash(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
