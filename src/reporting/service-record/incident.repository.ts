import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { utcMicroseconds } from '../../database/utc-timestamp';
import type { Span } from './down-minutes';
import type { OutageCause } from './outage-cause';
import { GONE_AFTER, SHORTEST } from './outage.sql';
import { SWITCHES } from '../../chain/pool/switches/switch.sql';

export const INCIDENT_KINDS = ['orders_paused', 'reduced_capacity', 'outage'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

export type IncidentCause = Exclude<IncidentKind, 'outage'> | OutageCause;

export interface Incident {
  readonly kind: IncidentKind;
  readonly from: Date;
  /** Null: it lasts. */
  readonly until: Date | null;
  /** An operator's own words. */
  readonly reason: string | null;
  /** What says the reason where no operator did. */
  readonly cause: IncidentCause;
}

const OF_SWITCH = `subject = 'service' and outcome = 'done'`;

/**
 * The pauses of all orders since $1, by the audit log, which the switch is set in one transaction with. It names the beginning of each pause,
 * also where a second one has only changed the reason. The log's numbers rise with time here: each act has the switch's row locked.
 */
const PAUSES = `
    with acts as (
      select id, at, action, after ->> 'since' as since, after ->> 'reason' as reason
        from audit_log
       where ${OF_SWITCH} and action in ('orders.pause', 'orders.resume')
         and id >= coalesce((select max(id) from audit_log where ${OF_SWITCH} and action = 'orders.pause' and at < $1), 0)
    ), begun as (
      select since, max(id) as id, (array_agg(reason order by id desc))[1] as reason from acts where action = 'orders.pause' group by since
    ), present as (
      select paused_at, reason from order_switch where id = ${SWITCHES.orders} and paused_at is not null
    ), pauses as (
      select since::timestamptz as begin, reason,
             (select r.at from acts r where r.action = 'orders.resume' and r.id > begun.id order by r.id limit 1) as until
        from begun
      union all
      select paused_at, reason, null from present where ${utcMicroseconds('paused_at')} not in (select since from begun)
    )`;

/** The reconciler's pauses of wallets, each until the wallet takes orders again or goes. */
const QUARANTINES = `quarantines as (
      select q.at as begin, (select a.at from audit_log a
                              where a.subject = q.subject and a.outcome = 'done' and a.id > q.id
                                and (a.action in ('wallet.add', 'wallet.remove') or a.action = 'wallet.state' and a.after ->> 'state' = 'active')
                              order by a.id limit 1) as until
        from audit_log q
       where q.service = 'reconciler' and q.outcome = 'done' and q.action = 'wallet.state' and q.after ->> 'state' <> 'active'
    )`;

/** One that was short is left out, but for the last minutes: how long such a one lasts is still to be seen. */
const OUTAGES = `outages_seen as (
      select cause, begun_at as begin,
             case when cause = 'down' or seen_at < clock_timestamp() - ${GONE_AFTER} then seen_at end as until
        from outages
       where seen_at <= clock_timestamp() + interval '1 minute'
         and (seen_at >= begun_at + ${SHORTEST} or seen_at > clock_timestamp() - ${GONE_AFTER})
    )`;

const SINCE = statement<[since: Date], Incident>(
  'service_record_incidents',
  `${PAUSES}, ${QUARANTINES}, ${OUTAGES}
    select kind, begin as "from", until, reason, cause
      from (select 'orders_paused' as kind, begin, until, reason, 'orders_paused' as cause from pauses
            union all select 'reduced_capacity', begin, until, null, 'reduced_capacity' from quarantines
            union all select 'outage', begin, until, null, cause from outages_seen) i
     where until is null or until > $1
     order by begin, kind`,
);

/** When orders were paused, when wallets were, and when no orders were taken for another reason. */
@Injectable()
export class IncidentRepository {
  constructor(private readonly sql: Sql) {}

  /** That have lasted until then or longer, oldest first; whatever number of wallets was paused together is one incident. */
  async since(since: Date): Promise<Incident[]> {
    const all = await this.sql.rows(SINCE, [since]);
    const others = all.filter(({ kind }) => kind !== 'reduced_capacity');
    const reduced = joined(all.filter(({ kind }) => kind === 'reduced_capacity'));
    return [...others, ...reduced].toSorted((one, other) => one.from.getTime() - other.from.getTime());
  }
}

/** What overlaps is one. */
export function joined<T extends Span>(oldestFirst: readonly T[]): T[] {
  const together: T[] = [];
  for (const next of oldestFirst) {
    const last = together.at(-1);
    if (!last || (last.until !== null && last.until < next.from)) together.push(next);
    else together[together.length - 1] = { ...last, until: later(last.until, next.until) };
  }
  return together;
}

const later = (one: Date | null, other: Date | null) =>
  one === null || other === null ? null : one > other ? one : other;
