import type { Field, MessageType } from './message.schema';
import { EnumType, MessageType as MessageTypeClass } from './message.schema';

/** What java-tron answers as `InvalidProtocolBufferException`. */
export class InvalidWireError extends Error {}

type Message = Record<string, unknown>;
const EMPTY = Buffer.alloc(0);

const wireTypeOf = (field: Field): number =>
  field.kind === 'int64' || field.kind === 'int32' || field.kind === 'bool' || field.kind instanceof EnumType ? 0 : 2;

const varint = (value: bigint): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
};

const isDefault = (value: unknown): boolean =>
  value === undefined ||
  value === 0n ||
  value === 0 ||
  value === '' ||
  value === false ||
  (Buffer.isBuffer(value) && value.length === 0);

const payload = (field: Field, value: unknown): Buffer => {
  if (field.kind instanceof MessageTypeClass) return encode(field.kind, value as Message);
  return field.kind === 'string' ? Buffer.from(value as string, 'utf8') : (value as Buffer);
};

const encodeField = (field: Field, value: unknown): Buffer[] => {
  const wireType = wireTypeOf(field);
  const key = varint(BigInt((field.number << 3) | wireType));
  if (wireType === 0) return [key, varint(BigInt(value as bigint | number | boolean))];
  const bytes = payload(field, value);
  return [key, varint(BigInt(bytes.length)), bytes];
};

/** Fields in the order of their numbers, defaults left out: the bytes java-tron makes of the same message. */
export function encode<T>(type: MessageType<T>, message: T): Buffer {
  const parts: Buffer[] = [];
  for (const field of type.fields) {
    const value = (message as Message)[field.name];
    if (field.repeated)
      for (const item of (value as unknown[] | undefined) ?? []) parts.push(...encodeField(field, item));
    else if (!isDefault(value)) parts.push(...encodeField(field, value));
  }
  return Buffer.concat(parts);
}

const blank = (field: Field): unknown => {
  if (field.repeated) return [];
  if (field.kind === 'int64') return 0n;
  if (field.kind === 'int32' || field.kind instanceof EnumType) return 0;
  if (field.kind === 'bool') return false;
  if (field.kind === 'string') return '';
  return field.kind instanceof MessageTypeClass ? undefined : EMPTY;
};

export const empty = <T>(type: MessageType<T>): T =>
  Object.fromEntries(type.fields.map((field) => [field.name, blank(field)])) as T;

class WireReader {
  private at = 0;
  constructor(private readonly bytes: Buffer) {}
  get done(): boolean {
    return this.at >= this.bytes.length;
  }
  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined)
        throw new InvalidWireError(
          'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length.',
        );
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new InvalidWireError('CodedInputStream encountered a malformed varint.');
  }
  take(length: number): Buffer {
    if (this.at + length > this.bytes.length)
      throw new InvalidWireError(
        'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length.',
      );
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.take(8);
    else if (wireType === 2) this.take(Number(this.varint()));
    else if (wireType === 5) this.take(4);
    else throw new InvalidWireError('Protocol message tag had invalid wire type.');
  }
}

const scalar = (field: Field, raw: bigint): unknown => {
  if (field.kind === 'int64') return BigInt.asIntN(64, raw);
  return field.kind === 'bool' ? raw !== 0n : Number(BigInt.asIntN(32, raw));
};

const parsePayload = (field: Field, bytes: Buffer): unknown => {
  if (field.kind instanceof MessageTypeClass) return decode(field.kind, bytes);
  return field.kind === 'string' ? bytes.toString('utf8') : Buffer.from(bytes);
};

export function decode<T>(type: MessageType<T>, bytes: Buffer): T {
  const message = empty(type) as Message;
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const key = Number(reader.varint());
    const [number, wireType] = [key >>> 3, key & 7];
    if (number === 0) throw new InvalidWireError('Protocol message contained an invalid tag (zero).');
    const field = type.byNumber.get(number);
    if (!field || wireTypeOf(field) !== wireType) {
      reader.skip(wireType);
      continue;
    }
    const value =
      wireType === 0 ? scalar(field, reader.varint()) : parsePayload(field, reader.take(Number(reader.varint())));
    if (field.repeated) (message[field.name] as unknown[]).push(value);
    else message[field.name] = value;
  }
  return message as T;
}
