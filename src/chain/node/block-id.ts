import { createHash } from 'node:crypto';

type Json = Record<string, unknown>;
type Kind = 'integer' | 'bytes';

/** protocol.BlockHeader.raw, by field number. */
const FIELDS: readonly (readonly [number: number, name: string, kind: Kind])[] = [
  [1, 'timestamp', 'integer'],
  [2, 'txTrieRoot', 'bytes'],
  [3, 'parentHash', 'bytes'],
  [7, 'number', 'integer'],
  [8, 'witness_id', 'integer'],
  [9, 'witness_address', 'bytes'],
  [10, 'version', 'integer'],
  [11, 'accountStateRoot', 'bytes'],
];
const KNOWN = new Set(FIELDS.map(([, name]) => name));

/** Header fields that this version does not know. With any of them, the id cannot be computed. */
export function unknownFields(raw: Json): string[] {
  return Object.keys(raw).filter((name) => !KNOWN.has(name));
}

/**
 * The id of the block with this header: its height in 8 bytes, then the hash of all its fields, so that no field can be wrong without
 * the id being wrong too. Null when a field cannot be encoded.
 */
export function blockIdOf(raw: Json): string | null {
  const parts: Buffer[] = [];
  for (const [number, name, kind] of FIELDS) {
    const field = encodeField(number, kind, raw[name]);
    if (field === null) return null;
    parts.push(field);
  }
  const hash = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
  return (
    BigInt((raw['number'] ?? 0) as number | bigint)
      .toString(16)
      .padStart(16, '0') + hash.slice(16)
  );
}

/** proto3 leaves out zeros and empty values. */
function encodeField(number: number, kind: Kind, value: unknown): Buffer | null {
  if (value === undefined || value === 0 || value === '') return Buffer.alloc(0);
  if (kind === 'integer') {
    if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return null;
    return Buffer.concat([varint(BigInt(number << 3)), varint(BigInt(value as number | bigint))]);
  }
  if (typeof value !== 'string' || !/^([0-9a-f]{2})+$/i.test(value)) return null;
  const bytes = Buffer.from(value, 'hex');
  return Buffer.concat([varint(BigInt((number << 3) | 2)), varint(BigInt(bytes.length)), bytes]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
