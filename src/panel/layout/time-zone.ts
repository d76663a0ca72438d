import type { IncomingMessage } from 'node:http';
import { readCookie } from '../http/cookie';

/** Names of today, which some browsers have; the list of `Intl` has those of before (`Asia/Calcutta`). */
const RENAMED = [
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Argentina/Catamarca',
  'America/Argentina/Cordoba',
  'America/Argentina/Jujuy',
  'America/Argentina/Mendoza',
  'America/Atikokan',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
];

/** All that this process knows, and UTC, which its list leaves out. */
export const TIME_ZONES: readonly string[] = [
  ...new Set(['UTC', ...[...Intl.supportedValuesOf('timeZone'), ...RENAMED].sort()]),
];

const COOKIE = 'panel_zone';
const KNOWN = new Set(TIME_ZONES);
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Only a name as the list spells it: `Intl` takes every mix of capitals, and a format for each of those would never be freed.
 */
export function isTimeZone(name: string): boolean {
  return KNOWN.has(name);
}

/** What the user has set, else what the browser's script (`times.js`) has written down; null: neither. */
export function timeZoneOf(request: IncomingMessage, user: { readonly timeZone: string | null }): string | null {
  if (user.timeZone !== null) return user.timeZone;
  const ofBrowser = readCookie(request, COOKIE);
  return ofBrowser !== undefined && isTimeZone(ofBrowser) ? ofBrowser : null;
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

/** How far the zone's clock is ahead of UTC at that moment; 0 for a zone that is not in the list. */
export function offsetMs(at: Date, timeZone: string): number {
  const local = inZone(at, timeZone);
  return local === null ? 0 : Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(at.getTime() / 1_000) * 1_000;
}

/** `2026-11-22T19:20+05:30`, `2026-11-22T13:50Z`: an hour that the clock shows twice has two of them. */
export function withOffset(at: Date, timeZone: string): string {
  const offset = offsetMs(at, timeZone);
  const local = new Date(at.getTime() + offset).toISOString().slice(0, 16);
  if (offset === 0) return `${local}Z`;
  return `${local}${offset < 0 ? '-' : '+'}${new Date(Math.abs(offset)).toISOString().slice(11, 16)}`;
}
