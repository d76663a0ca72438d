import type { Json, JsonObject } from '../protobuf/json.printer';

const isDefault = (value: Json | undefined): boolean =>
  value === undefined ||
  value === 0 ||
  value === 0n ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** Without what a proto3 message does not carry: zero, false, empty. */
export const compact = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => !isDefault(value)));
