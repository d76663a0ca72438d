import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import type { DemandHour } from '../../reporting/earnings/demand.repository';
import type { Days } from '../../reporting/refusals/refused-attempt.repository';
import { groupDigits } from '../layout/components';
import { addDays, dayOf, daysIn } from '../dates/date-range';
import { inZone } from '../layout/time-zone';

/** What is older says little about the weeks to come. */
const MOST_DAYS = 91;
/** Shades of a cell, besides none. */
const SHADES = 5n;
const HOUR_MS = 3_600_000;
const HOURS = 24;
const WEEKDAYS = 7;

export interface HourOfWeek {
  /** From Monday on: 0 to 6. */
  readonly weekday: number;
  readonly hour: number;
  /** On average, in tenths of a transaction. */
  readonly tenths: bigint;
  /** 0: nothing was ordered; 5: the busiest. */
  readonly shade: number;
}

export interface WeekOfDemand {
  /** A row for each hour of the day, with a cell for each day of the week. */
  readonly rows: readonly (readonly HourOfWeek[])[];
  /** Null: nothing was ordered. */
  readonly busiest: HourOfWeek | null;
}

/** The newest days of a range that are counted, today included. */
export function demandDays({ from, to: end }: Days, now: Date): Days {
  const tomorrow = addDays(dayOf(now), 1);
  const to = end < tomorrow ? end : tomorrow;
  return { from: daysIn({ from, to }) > MOST_DAYS ? addDays(to, -MOST_DAYS) : from, to };
}

/**
 * Whole hours alone, from the first order's on: the days before there was anything to order would halve the average. An hour of UTC counts
 * where it begins in the zone.
 */
export function weekOf(
  hours: readonly DemandHour[],
  { from, to }: Days,
  { since, now, timeZone }: { readonly since: Date | null; readonly now: Date; readonly timeZone: string },
): WeekOfDemand {
  const first = Math.max(Date.parse(from), floorHour(since?.getTime() ?? 0));
  const end = Math.min(Date.parse(to), floorHour(now.getTime()));
  const energies = new Map(hours.map(({ at, energy }) => [at.getTime(), energy]));
  const counted = Array.from({ length: HOURS * WEEKDAYS }, () => ({ energy: 0n, times: 0n }));
  for (let at = first; at < end; at += HOUR_MS) {
    const cell = counted[placeOf(new Date(at), timeZone)]!;
    cell.energy += energies.get(at) ?? 0n;
    cell.times += 1n;
  }
  const averages = counted.map(({ energy, times }) => (times > 0n ? energy / times : 0n));
  const most = averages.reduce((sum, average) => (average > sum ? average : sum), 0n);
  const cells = averages.map((average, place) => ({
    weekday: place % WEEKDAYS,
    hour: Math.floor(place / WEEKDAYS),
    tenths: (average * 10n) / ENERGY_PER_TRANSACTION,
    shade: most > 0n ? Number((average * SHADES + most - 1n) / most) : 0,
  }));
  return {
    rows: Array.from({ length: HOURS }, (_, hour) => cells.slice(hour * WEEKDAYS, (hour + 1) * WEEKDAYS)),
    busiest: most > 0n ? cells[averages.indexOf(most)]! : null,
  };
}

/** `9.5`; from ten on whole ones alone. */
export function averageText(tenths: bigint): string {
  return tenths < 100n ? `${tenths / 10n}.${tenths % 10n}` : groupDigits(tenths / 10n);
}

export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

function placeOf(at: Date, timeZone: string): number {
  const local = inZone(at, timeZone) ?? at.toISOString();
  const weekday = (new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay() + WEEKDAYS - 1) % WEEKDAYS;
  return Number(local.slice(11, 13)) * WEEKDAYS + weekday;
}

function floorHour(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS;
}
