/** proto3 leaves out zeros and empty values. Null when the value is no integer that can be encoded. */
export function integerField(number: number, value: unknown): Buffer | null {
  if (value === undefined || value === 0 || value === 0n) return EMPTY;
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return null;
  return Buffer.concat([varint(BigInt(number << 3)), varint(BigInt(value as number | bigint))]);
}

/** As `integerField`, of bytes in hex. */
export function bytesField(number: number, value: unknown): Buffer | null {
  if (value === undefined || value === '') return EMPTY;
  const bytes = bytesOf(value);
  return bytes && messageField(number, bytes);
}

/** A field of bytes that is there even when it is empty, as the members of a list are. */
export function messageField(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(BigInt((number << 3) | 2)), varint(BigInt(bytes.length)), bytes]);
}

/** Null when it is no hex. */
export function bytesOf(value: unknown): Buffer | null {
  return typeof value === 'string' && /^([0-9a-f]{2})*$/i.test(value) ? Buffer.from(value, 'hex') : null;
}

/** Null when one of the fields is. */
export function joinFields(fields: readonly (Buffer | null)[]): Buffer | null {
  return fields.every((field) => field !== null) ? Buffer.concat(fields) : null;
}

const EMPTY = Buffer.alloc(0);

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
