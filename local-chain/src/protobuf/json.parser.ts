import { decodeBase58, illegalLetter } from '../signing/address.codec';
import { EnumType, MessageType, type Field } from './message.schema';
import { empty } from './wire.codec';

/** java-tron's `JsonFormat$ParseException`. */
export class JsonFormatError extends Error {
  constructor(
    message: string,
    /** Whose value was not understood. */
    readonly field?: string,
  ) {
    super(message);
  }
}
/** The `DecoderException` of the library that reads hex for java-tron. */
export class HexError extends Error {}
/** A T address of a wrong checksum or length: java-tron gets null for it, and goes on with that. */
export class NullAddressError extends Error {}

const HEX = /^[0-9a-fA-F]*$/;

/** As java-tron's `ByteArray.fromHexString`: a 0x prefix goes, an odd length gets a zero in front. */
export const bytesOfHex = (text: string): Buffer => {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (!HEX.test(digits))
    throw new HexError('exception decoding Hex string: invalid characters encountered in Hex string');
  return Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex');
};

const textOf = (field: Field, value: unknown): string => {
  if (typeof value !== 'string') throw new JsonFormatError('Expected string.', field.name);
  return value;
};

const hexOf = (field: Field, text: string): Buffer => {
  try {
    return bytesOfHex(text);
  } catch (error) {
    throw error instanceof HexError ? new JsonFormatError('INVALID hex String', field.name) : error;
  }
};

const bytesOf = (field: Field, value: unknown, visible: boolean): Buffer => {
  const text = textOf(field, value);
  if (visible && field.kind === 'text') return Buffer.from(text, 'utf8');
  if (!visible || field.kind !== 'address') return hexOf(field, text);
  const illegal = illegalLetter(text);
  if (illegal) throw new JsonFormatError(`INVALID base58 String, ${illegal}`, field.name);
  const address = decodeBase58(text);
  if (!address) throw new NullAddressError('null');
  return address;
};

const integerOf = (field: Field, value: unknown, bits: 32 | 64): bigint => {
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value)))
    throw new JsonFormatError(`Couldn't parse integer: For input string: ${JSON.stringify(value)}`, field.name);
  const integer = BigInt(value);
  if (BigInt.asIntN(bits, integer) !== integer)
    throw new JsonFormatError(`Number out of range for ${bits}-bit signed integer: ${integer}`);
  return integer;
};

const enumOf = (field: Field, kind: EnumType, value: unknown): number => {
  const number = typeof value === 'string' ? kind.findNumber(value) : Number(integerOf(field, value, 32));
  if (number === undefined || kind.findName(number) === undefined)
    throw new JsonFormatError(`Enum type "${kind.name}" has no value ${String(value)}.`);
  return number;
};

const single = (field: Field, value: unknown, visible: boolean): unknown => {
  const { kind } = field;
  if (kind instanceof MessageType) return parseMessage(kind, value, visible);
  if (kind instanceof EnumType) return enumOf(field, kind, value);
  if (kind === 'int64') return integerOf(field, value, 64);
  if (kind === 'int32') return Number(integerOf(field, value, 32));
  if (kind === 'string') return textOf(field, value);
  if (kind !== 'bool') return bytesOf(field, value, visible);
  if (typeof value !== 'boolean') throw new JsonFormatError(`Expected "true" or "false" for ${field.name}.`);
  return value;
};

/** JSON into a message: unknown fields are passed over, a value of the wrong kind is an error, as java-tron's `JsonFormat.merge`. */
export function parseMessage<T>(type: MessageType<T>, json: unknown, visible: boolean): T {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new JsonFormatError('Expected "{".');
  const message = empty(type) as Record<string, unknown>;
  for (const [name, value] of Object.entries(json)) {
    const field = type.byName.get(name);
    if (!field || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      const parsed = single(field, item, visible);
      if (field.repeated) (message[name] as unknown[]).push(parsed);
      else message[name] = parsed;
    }
  }
  return message as T;
}
