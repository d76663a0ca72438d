import { type Form, textOf } from '../http/form';
import { inZone, isTimeZone } from '../layout/time-zone';

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const EARLIEST = '2018-01-01';
const LATEST = '2200-01-01';

/** Days back, today included. */
export const PRESETS = [1, 7, 30] as const;
export type Preset = (typeof PRESETS)[number];

/** Days of a zone: `to` is the one after the last. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** A range as it was asked for, in the query of a page. */
export interface AskedRange {
  /** In the fields; the last day is part of the range. */
  readonly typed: { readonly from: string; readonly to: string };
  readonly preset: Preset | null;
  /** Null: all of it, or there is a problem. */
  readonly range: Range | null;
  /** Whose days they are. */
  readonly timeZone: string;
  readonly problem: { readonly field: 'from' | 'to'; readonly text: 'badDate' | 'wrongOrder' } | null;
}

interface RangeOptions {
  /** What a page without a range in its query shows; null: all there is. */
  readonly fallback?: Preset | null;
  /** Of the reader. Left out: UTC, by whose days orders and refused attempts are summed up. */
  readonly timeZone?: string | null;
  readonly now?: Date;
}

export function readRange(
  query: Form,
  { fallback = null, timeZone: zone = null, now = new Date() }: RangeOptions = {},
): AskedRange {
  const typed = { from: textOf(query, 'from'), to: textOf(query, 'to') };
  const timeZone = zone !== null && isTimeZone(zone) ? zone : 'UTC';
  const today = dayIn(now, timeZone);
  if (typed.from === '' && typed.to === '') {
    const asked = PRESETS.find((preset) => String(preset) === textOf(query, 'days')) ?? fallback;
    if (asked === null) return { typed, preset: null, range: null, timeZone, problem: null };
    const range = { from: addDays(today, 1 - asked), to: addDays(today, 1) };
    return { typed: { from: range.from, to: today }, preset: asked, range, timeZone, problem: null };
  }
  for (const field of ['from', 'to'] as const) {
    if (typed[field] !== '' && !isDay(typed[field])) return refused({ typed, timeZone }, field, 'badDate');
  }
  // An end that was left open is the first day there can be, or today.
  const from = typed.from || EARLIEST;
  const last = typed.to || (today < from ? from : today);
  if (from > last) return refused({ typed, timeZone }, 'to', 'wrongOrder');
  return { typed, preset: null, range: { from, to: addDays(last, 1) }, timeZone, problem: null };
}

function refused(
  asked: Pick<AskedRange, 'typed' | 'timeZone'>,
  field: 'from' | 'to',
  text: 'badDate' | 'wrongOrder',
): AskedRange {
  return { ...asked, preset: null, range: null, problem: { field, text } };
}

export function isActive({ typed }: AskedRange): boolean {
  return typed.from !== '' || typed.to !== '';
}

export interface Moments {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** For lists of moments: the first one of the range, and the first one behind it. */
export function momentsOf({ range, timeZone }: Pick<AskedRange, 'range' | 'timeZone'>): Moments {
  return { from: range && midnightOf(range.from, timeZone), to: range && midnightOf(range.to, timeZone) };
}

/**
 * Where the day begins. The first guess may lie on the other side of a change of the clocks, the second does not. Where they go forward at
 * midnight there is no 0:00: the second then lies an hour before the change, on the day before, and the first one at it.
 */
function midnightOf(day: string, timeZone: string): Date {
  const asUtc = Date.parse(`${day}T00:00:00Z`);
  const first = asUtc - offsetMs(asUtc, timeZone);
  const second = new Date(asUtc - offsetMs(first, timeZone));
  return dayIn(second, timeZone) < day ? new Date(first) : second;
}

function offsetMs(atMs: number, timeZone: string): number {
  const local = inZone(new Date(atMs), timeZone);
  return local === null ? 0 : Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(atMs / 1_000) * 1_000;
}

/** `timeZone`: of the reader, as for a range; null: UTC. */
export function dayIn(at: Date, timeZone: string | null): string {
  return inZone(at, timeZone ?? 'UTC')?.slice(0, 10) ?? dayOf(at);
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function addDays(day: string, count: number): string {
  return dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS));
}

export function daysIn({ from, to }: Range): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** So many days up to now, today included. */
export function lastDays(count: number, now = new Date()): Range {
  const today = dayOf(now);
  return { from: addDays(today, 1 - count), to: addDays(today, 1) };
}

/** The query that asks for the same range again. */
export function rangeQuery({ typed }: AskedRange): string {
  const query = new URLSearchParams();
  if (typed.from !== '') query.set('from', typed.from);
  if (typed.to !== '') query.set('to', typed.to);
  return query.toString();
}

/** For the name of a file: `2026-01-01-2026-01-31`. */
export function rangeName({ range }: AskedRange): string {
  return range ? `-${range.from}-${addDays(range.to, -1)}` : '';
}

/** A day of the calendar: `2026-02-30` is none. */
export function isDay(text: string): boolean {
  if (!DATE.test(text) || text < EARLIEST || text > LATEST) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && dayOf(at) === text;
}
