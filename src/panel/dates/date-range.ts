import { type Form, textOf } from '../http/form';
import { type MomentRange, utcDaysOf } from '../../reporting/reports/utc-days';
import { inZone, isTimeZone, offsetMs } from '../layout/time-zone';

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

export interface ZonedRange {
  readonly range: Range;
  readonly timeZone: string;
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
  /** Of the reader; null: UTC. */
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

/** What a range of days spans. */
export function spanOf({ range, timeZone }: ZonedRange): MomentRange {
  return { from: midnightOf(range.from, timeZone), to: midnightOf(range.to, timeZone) };
}

/** Whose sums are kept: at other midnights nothing is cut. */
export function isOfUtcDays(asked: ZonedRange): boolean {
  const { from, to } = utcDaysOf(spanOf(asked));
  return from === asked.range.from && to === asked.range.to;
}

/** For lists of moments: the first one of the range, and the first one behind it. */
export function momentsOf({ range, timeZone }: Pick<AskedRange, 'range' | 'timeZone'>): Moments {
  return range ? spanOf({ range, timeZone }) : { from: null, to: null };
}

/**
 * Where the day begins. The first guess may lie on the other side of a change of the clocks, the second does not. Where they go forward at
 * midnight there is no 0:00: the second then lies an hour before the change, on the day before, and the first one at it.
 */
export function midnightOf(day: string, timeZone: string): Date {
  const asUtc = new Date(`${day}T00:00:00Z`);
  const first = new Date(asUtc.getTime() - offsetMs(asUtc, timeZone));
  const second = new Date(asUtc.getTime() - offsetMs(first, timeZone));
  return dayIn(second, timeZone) < day ? first : second;
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

/** Up to now, over so many UTC days, today included. */
export function lastDays(count: number, now = new Date()): MomentRange {
  return { from: new Date(now.getTime() - (count - 1) * DAY_MS), to: now };
}

/** The query that asks for the same range again. */
export function rangeQuery({ typed }: AskedRange): string {
  const query = new URLSearchParams();
  if (typed.from !== '') query.set('from', typed.from);
  if (typed.to !== '') query.set('to', typed.to);
  return query.toString();
}

/** For the name of a file: `2026-01-01-2026-01-31`. */
export function rangeName({ range }: Pick<AskedRange, 'range'>): string {
  return range ? `-${range.from}-${addDays(range.to, -1)}` : '';
}

/** A day of the calendar: `2026-02-30` is none. */
export function isDay(text: string): boolean {
  if (!DATE.test(text) || text < EARLIEST || text > LATEST) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && dayOf(at) === text;
}
