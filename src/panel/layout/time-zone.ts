/** All that this process knows, and UTC, which its list leaves out. */
export const TIME_ZONES: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-22 19:20:05`; null for a zone that another version of Node knew. */
export function inZone(at: Date, timeZone: string): string | null {
  try {
    let format = formats.get(timeZone);
    // Swedish dates look like ISO 8601.
    format ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
    formats.set(timeZone, format);
    return format.format(at);
  } catch {
    return null;
  }
}
