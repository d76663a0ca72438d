import { encodeBase58 } from '../signing/address.codec';
import { EnumType, MessageType, type Field } from './message.schema';

export type Json = string | number | bigint | boolean | readonly Json[] | { readonly [name: string]: Json | undefined };
export type JsonObject = { [name: string]: Json | undefined };

const shown = (field: Field, value: unknown, visible: boolean): Json => {
  const { kind } = field;
  if (kind instanceof MessageType) return printMessage(kind, value, visible);
  if (kind instanceof EnumType) return kind.findName(value as number) ?? (value as number);
  if (!Buffer.isBuffer(value)) return value as Json;
  if (visible && kind === 'address') return encodeBase58(value);
  return visible && kind === 'text' ? value.toString('utf8') : value.toString('hex');
};

const absent = (value: unknown): boolean =>
  value === undefined ||
  value === 0 ||
  value === 0n ||
  value === false ||
  value === '' ||
  (Buffer.isBuffer(value) && value.length === 0) ||
  (Array.isArray(value) && value.length === 0);

/** A message as java-tron's `JsonFormat` prints it: defaults are left out, the first name of an enum too. */
export function printMessage<T>(type: MessageType<T>, message: T, visible: boolean): JsonObject {
  const out: JsonObject = {};
  for (const field of type.fields) {
    const value = (message as Record<string, unknown>)[field.name];
    if (absent(value)) continue;
    out[field.name] = field.repeated
      ? (value as unknown[]).map((item) => shown(field, item, visible))
      : shown(field, value, visible);
  }
  return out;
}
