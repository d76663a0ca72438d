import { type Form, textOf } from '../http/form';

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const EARLIEST = '2018-01-01';
const LATEST = '2200-01-01';

/** Days back, today included. */
export const PRESETS = [1, 7, 30] as const;
export type Preset = (typeof PRESETS)[number];

/** UTC days, as the database counts them: `to` is the one after the last. */
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
  readonly problem: { readonly field: 'from' | 'to'; readonly text: 'badDate' | 'wrongOrder' } | null;
}

/** `fallback`: what a page without a range in its query shows; null: all there is. */
export function readRange(query: Form, fallback: Preset | null, now = new Date()): AskedRange {
  const typed = { from: textOf(query, 'from'), to: textOf(query, 'to') };
  const today = dayOf(now);
  if (typed.from === '' && typed.to === '') {
    const asked = PRESETS.find((preset) => String(preset) === textOf(query, 'days')) ?? fallback;
    if (asked === null) return { typed, preset: null, range: null, problem: null };
    const range = lastDays(asked, now);
    return { typed: { from: range.from, to: today }, preset: asked, range, problem: null };
  }
  for (const field of ['from', 'to'] as const) {
    if (typed[field] !== '' && !isDay(typed[field])) return refused(typed, field, 'badDate');
  }
  // An end that was left open is the first day there can be, or today.
  const from = typed.from || EARLIEST;
  const last = typed.to || (today < from ? from : today);
  if (from > last) return refused(typed, 'to', 'wrongOrder');
  return { typed, preset: null, range: { from, to: addDays(last, 1) }, problem: null };
}

function refused(typed: AskedRange['typed'], field: 'from' | 'to', text: 'badDate' | 'wrongOrder'): AskedRange {
  return { typed, preset: null, range: null, problem: { field, text } };
}

export function isActive({ typed }: AskedRange): boolean {
  return typed.from !== '' || typed.to !== '';
}

/** For lists of moments: the first one of the range, and the first one behind it. */
export function momentsOf(range: Range | null): { readonly from: Date | null; readonly to: Date | null } {
  return { from: range && new Date(`${range.from}T00:00:00Z`), to: range && new Date(`${range.to}T00:00:00Z`) };
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
