import { bytesOfHex, HexError } from '../protobuf/json.parser';
import type { JsonObject } from '../protobuf/json.printer';
import { printJson } from '../protobuf/lossless.json';
import { decodeBase58, illegalLetter } from '../signing/address.codec';
import { VALUE_REQUEST } from './request.schema';
import { JavaError, nullPointer, PlainError, readRequest, type RouteRequest } from './route.model';

/** A field as the node's JSON library gives it where a text is asked for. */
export function textField(json: JsonObject, name: string): string | undefined {
  const value = json[name] ?? undefined;
  return value === undefined || typeof value === 'string' ? value : printJson(value);
}

/** A whole number, also one written as text; zero where there is none. */
export function integerField(json: JsonObject, name: string): bigint {
  const text = textField(json, name) ?? '0';
  if (!/^-?\d+$/.test(text)) throw new JavaError('java.lang.NumberFormatException', `For input string: "${text}"`);
  return BigInt.asIntN(64, BigInt(text));
}

/** The bytes of a T address; of one with a wrong checksum none. */
function bytesOfBase58(text: string): Buffer {
  const illegal = illegalLetter(text);
  if (illegal) throw new JavaError('java.lang.IllegalArgumentException', illegal);
  return decodeBase58(text) ?? Buffer.alloc(0);
}

/** An address that the node reads from the JSON itself, not through a message. */
export function readAddressField(request: RouteRequest, name: string): Buffer {
  if (!request.json) throw nullPointer();
  const text = textField(request.json, name) ?? '';
  return request.visible ? bytesOfBase58(text) : bytesOfHex(text);
}

/** An address in `value`, which only in its T form is read from the JSON itself. */
export function readAddressValue(request: RouteRequest): Buffer {
  return request.visible ? readAddressField(request, 'value') : readRequest(request, VALUE_REQUEST).value;
}

/** An address whose form is known by how it begins; undefined for none, and for a T address that is none. */
export function findAddress({ json }: RouteRequest): Buffer | undefined {
  const text = (json && textField(json, 'address'))?.trim() ?? '';
  if (text === '') return undefined;
  try {
    return text.startsWith('41') ? bytesOfHex(text) : bytesOfBase58Check(text);
  } catch (error) {
    throw error instanceof HexError || error instanceof JavaError
      ? new PlainError(`INVALID address, ${error.message}`)
      : error;
  }
}

const bytesOfBase58Check = (text: string): Buffer | undefined => {
  const bytes = bytesOfBase58(text);
  return bytes.length > 0 ? bytes : undefined;
};
