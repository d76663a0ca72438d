import { RefusalError } from '../refusal';

export type FieldType = 'integer' | 'bytes' | 'list';
/** The fields that a message may have, by number. */
export type Shape = Readonly<Record<number, FieldType>>;

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

/** The fields of one message. What the bytes leave out reads as zero, or as nothing. */
export class Message {
  constructor(private readonly fields: ReadonlyMap<number, bigint | readonly Buffer[]>) {}

  integer(number: number): bigint {
    return (this.fields.get(number) as bigint | undefined) ?? 0n;
  }

  bytes(number: number): Buffer {
    return this.list(number)[0] ?? Buffer.alloc(0);
  }

  list(number: number): readonly Buffer[] {
    return (this.fields.get(number) as readonly Buffer[] | undefined) ?? [];
  }
}

/**
 * Reads bytes that have one way to be written: fields in the order of their numbers, each once unless the shape has a list there, numbers
 * in as few bytes as they need, and no field that says its default. A node decodes a transaction and encodes it again before it takes the
 * hash, so other bytes would be another transaction there.
 * @throws RefusalError `unreadable`; `not_allowed` for a field that the shape does not have
 */
export function readMessage(bytes: Buffer, shape: Shape, name: string): Message {
  const fields = new Map<number, bigint | Buffer[]>();
  const cursor = new Cursor(bytes, name);
  let [before, unknown] = [0, 0];
  while (!cursor.isAtEnd) {
    const { number, wireType } = cursor.tag();
    const type = shape[number];
    if (number < before || (number === before && type !== 'list'))
      throw unreadable(name, `field ${number} after field ${before}`);
    before = number;
    if (type === undefined) {
      cursor.skip(wireType);
      unknown ||= number;
      continue;
    }
    if (wireType !== (type === 'integer' ? VARINT : DELIMITED))
      throw unreadable(name, `field ${number} of wire type ${wireType}`);
    if (type === 'list') fields.set(number, [...((fields.get(number) as Buffer[] | undefined) ?? []), cursor.part()]);
    else fields.set(number, type === 'integer' ? cursor.varint() : [cursor.part()]);
    if (type !== 'list' && isDefault(fields.get(number)!)) throw unreadable(name, `field ${number} says its default`);
  }
  if (unknown > 0)
    throw new RefusalError('not_allowed', `${name} has field ${unknown}, which this signer does not know`);
  return new Message(fields);
}

function isDefault(value: bigint | readonly Buffer[]): boolean {
  return typeof value === 'bigint' ? value === 0n : value[0]!.length === 0;
}

function unreadable(name: string, what: string): RefusalError {
  return new RefusalError('unreadable', `${name}: ${what}`);
}

class Cursor {
  private at = 0;

  constructor(
    private readonly source: Buffer,
    private readonly name: string,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  tag(): { number: number; wireType: number } {
    const tag = this.varint();
    if (tag < 8n || tag > 0xffffffffn) throw unreadable(this.name, 'a tag that no field has');
    return { number: Number(tag >> 3n), wireType: Number(tag & 7n) };
  }

  /** As a signed number of 64 bits. */
  varint(): bigint {
    let value = 0n;
    for (let index = 0; index < 10; index++) {
      const byte = this.source[this.at++];
      if (byte === undefined) throw unreadable(this.name, 'cut short');
      if (index === 9 && byte > 1) throw unreadable(this.name, 'a number of more than 64 bits');
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte > 0x7f) continue;
      if (byte === 0 && index > 0) throw unreadable(this.name, 'a number in more bytes than it needs');
      return BigInt.asIntN(64, value);
    }
    throw unreadable(this.name, 'a number of more than ten bytes');
  }

  part(): Buffer {
    const length = this.varint();
    if (length < 0n || length > BigInt(this.source.length - this.at)) throw unreadable(this.name, 'cut short');
    return this.source.subarray(this.at, (this.at += Number(length)));
  }

  skip(wireType: number): void {
    if (wireType === VARINT) this.varint();
    else if (wireType === DELIMITED) this.part();
    else if (wireType === FIXED64 || wireType === FIXED32) this.jump(wireType === FIXED64 ? 8 : 4);
    else throw unreadable(this.name, `wire type ${wireType}`);
  }

  private jump(count: number): void {
    if (this.source.length - this.at < count) throw unreadable(this.name, 'cut short');
    this.at += count;
  }
}
