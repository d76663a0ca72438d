import { LANGUAGES } from '../../languages/languages';
import type { Incident } from '../../reporting/service-record/incident.repository';
import type { Status } from './service-status';

/** What the file names, and the page lists. */
export const MOST_INCIDENTS = 200;

export type StatusTexts = (typeof LANGUAGES)['en']['site']['status'];

/** A percentage with two places, rounded down so that 99,999 of 100,000 are not 100. Null: there was nothing to judge. */
export function successPercent({
  orders,
  failed,
}: {
  readonly orders: bigint;
  readonly failed: bigint;
}): number | null {
  return orders === 0n ? null : Number(((orders - failed) * 10_000n) / orders) / 100;
}

/** An operator's own words, or a sentence for what the service has seen. */
export function reasonOf({ reason, cause }: Incident, texts: StatusTexts): string {
  return reason ?? texts.reasons[cause];
}

/** The file for programs; its sentences are English. Names and their order are fixed. */
export function statusDocument({ refusing, inclusionMs, days, incidents, ...sums }: Status): object {
  const texts = LANGUAGES.en.site.status;
  return {
    taking_orders: refusing === null,
    reason: refusing && (refusing.words ?? texts.causes[refusing.cause]),
    since: refusing?.since?.toISOString() ?? null,
    success_percent_90d: successPercent(sums),
    inclusion_ms: { p50: inclusionMs.p50, p95: inclusionMs.p95 },
    days: days.map((day) => ({
      date: day.date,
      orders: Number(day.orders),
      failed: Number(day.failed),
      down_minutes: day.downMinutes,
    })),
    incidents: incidents.slice(-MOST_INCIDENTS).map((incident) => ({
      kind: incident.kind,
      from: incident.from.toISOString(),
      until: incident.until?.toISOString() ?? null,
      reason: reasonOf(incident, texts),
    })),
  };
}
