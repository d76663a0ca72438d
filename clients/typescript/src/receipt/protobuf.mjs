// As much of Protocol Buffers as blocks need: messages of integers and byte fields.

const LONGEST_VARINT = 10;

/** By number, each with all its values. @typedef {Map<number, (bigint | Uint8Array)[]>} Fields */

/** @param {Uint8Array} bytes @returns {Fields | null} null when the bytes are not such a message */
export function readFields(bytes) {
  /** @type {Fields} */
  const fields = new Map();
  for (let at = 0; at < bytes.length;) {
    const tag = readVarint(bytes, at);
    const value = tag && readVarint(bytes, tag.end);
    if (!value) return null;
    const [number, wire] = [Number(tag.value >> 3n), Number(tag.value & 7n)];
    if (wire !== 0 && wire !== 2) return null;
    const length = wire === 2 ? Number(value.value) : 0;
    if (value.end + length > bytes.length) return null;
    at = value.end + length;
    const read = wire === 2 ? bytes.subarray(value.end, at) : value.value;
    fields.set(number, [...(fields.get(number) ?? []), read]);
  }
  return fields;
}

/** @param {Uint8Array} bytes @param {number} from */
function readVarint(bytes, from) {
  let value = 0n;
  for (let at = from; at < Math.min(bytes.length, from + LONGEST_VARINT); at++) {
    const byte = /** @type {number} */ (bytes[at]);
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: at + 1 };
  }
  return null;
}

/** The only value of a field; undefined when there is none or there are several. @param {Fields | null} fields @param {number} number */
export function only(fields, number) {
  const values = fields?.get(number);
  return values?.length === 1 ? values[0] : undefined;
}

/** The message that is the only value of a field. @param {Fields | null} fields @param {number} number */
export function messageIn(fields, number) {
  const value = only(fields, number);
  return value instanceof Uint8Array ? readFields(value) : null;
}
