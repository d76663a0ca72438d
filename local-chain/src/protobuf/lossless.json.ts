import type { Json } from './json.printer';

/** JSON in which an integer beyond 2^53 stays exact: it is read as a bigint. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, (_name: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && context?.source && /^-?\d+$/.test(context.source)
      ? BigInt(context.source)
      : value,
  );

/** Bigints are printed as plain digits, as the node prints its int64. `gap` is what follows a colon: some of the node's answers have a space there. */
export function printJson(value: Json, gap = ''): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map((item) => printJson(item, gap)).join(',')}]`;
  const parts: string[] = [];
  for (const [name, item] of Object.entries(value as { [name: string]: Json | undefined }))
    if (item !== undefined) parts.push(`${JSON.stringify(name)}:${gap}${printJson(item, gap)}`);
  return `{${parts.join(',')}}`;
}
