/** proto3 leaves out zeros and empty values. Null when the value is not an integer that can be encoded. */
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

/** As `integerField`, of a value by its name: the first is 0. */
export function enumField(number: number, names: readonly string[], name: unknown): Buffer | null {
  if (name === undefined) return EMPTY;
  const value = names.indexOf(name as string);
  return value < 0 ? null : integerField(number, value);
}

/** As `bytesField`, of text. */
export function textField(number: number, value: unknown): Buffer | null {
  if (value === undefined || value === '') return EMPTY;
  return typeof value === 'string' ? messageField(number, Buffer.from(value, 'utf8')) : null;
}

/** All members of a list, in its order; null when it is not a list, or one of them cannot be encoded. */
export function listField(number: number, value: unknown, encode: (member: unknown) => Buffer | null): Buffer | null {
  if (value === undefined) return EMPTY;
  if (!Array.isArray(value)) return null;
  return joinFields(
    value.map((member: unknown) => {
      const bytes = encode(member);
      return bytes && messageField(number, bytes);
    }),
  );
}

/** A field of bytes that is there even when it is empty, as the members of a list are. */
export function messageField(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(BigInt((number << 3) | 2)), varint(BigInt(bytes.length)), bytes]);
}

/** Null when it is not hex. */
export function bytesOf(value: unknown): Buffer | null {
  if (typeof value !== 'string') return null;
  // Reads up to the first character that is none of hex. A pattern over groups of two overflows the stack from 8 MB on.
  const bytes = Buffer.from(value, 'hex');
  return bytes.length * 2 === value.length ? bytes : null;
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

const WIRE_VARINT = 0;
const WIRE_BYTES = 2;
const LONGEST_VARINT = 10;
/** A varint of so many bytes, 7 bits each, is an exact number. A block of 300 transactions has some 15,000 of them. */
const EXACT_VARINT = 7;

/** The fields of a message by number, each with all its values. Null when the bytes are no message of integers and byte fields alone. */
export function readFields(bytes: Buffer): ReadonlyMap<number, readonly (bigint | Buffer)[]> | null {
  const fields = new Map<number, (bigint | Buffer)[]>();
  const reader = new VarintReader(bytes);
  while (reader.at < bytes.length) {
    const tag = reader.next();
    const value = tag === null ? null : reader.next();
    if (tag === null || value === null) return null;
    const [number, wire] =
      typeof tag === 'number' ? [Math.floor(tag / 8), tag & 7] : [Number(tag >> 3n), Number(tag & 7n)];
    let read: bigint | Buffer;
    if (wire === WIRE_BYTES) {
      const end = reader.at + Number(value);
      if (end > bytes.length) return null;
      read = bytes.subarray(reader.at, end);
      reader.at = end;
    } else if (wire === WIRE_VARINT) read = BigInt(value);
    else return null;
    const values = fields.get(number);
    if (values) values.push(read);
    else fields.set(number, [read]);
  }
  return fields;
}

class VarintReader {
  at = 0;

  constructor(private readonly bytes: Buffer) {}

  /** Null when the bytes end within it, or it has too many. */
  next(): number | bigint | null {
    let [value, scale] = [0, 1];
    const end = Math.min(this.bytes.length, this.at + EXACT_VARINT);
    for (let at = this.at; at < end; at++, scale *= 128) {
      const byte = this.bytes[at]!;
      value += (byte & 0x7f) * scale;
      if (byte >= 0x80) continue;
      this.at = at + 1;
      return value;
    }
    return this.long();
  }

  private long(): bigint | null {
    const from = this.at;
    let value = 0n;
    for (let at = from; at < Math.min(this.bytes.length, from + LONGEST_VARINT); at++) {
      const byte = this.bytes[at]!;
      value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
      if (byte >= 0x80) continue;
      this.at = at + 1;
      return BigInt.asUintN(64, value);
    }
    return null;
  }
}
