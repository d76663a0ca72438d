/** All that this process knows, and UTC, which its list leaves out. */
export const TIME_ZONES: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

const KNOWN = new Set(TIME_ZONES);
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Only a name as the list spells it: `Intl` takes every mix of capitals, and a format for each of those would never be freed.
 */
export function isTimeZone(name: string): boolean {
  return KNOWN.has(name);
}

/** `2026-11-22 19:20:05`; null for a zone that is not in the list, such as one that another version of Node knew. */
export function inZone(at: Date, timeZone: string): string | null {
  if (!isTimeZone(timeZone)) return null;
  let format = formats.get(timeZone);
  // Swedish dates look like ISO 8601.
  format ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  formats.set(timeZone, format);
  return format.format(at);
}
