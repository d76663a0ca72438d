import { Injectable } from '@nestjs/common';
import { MissingError } from '../common/errors/domain.error';
import { Sql, type SqlTransaction, type Statement } from '../database/sql';
import { utcMicroseconds } from '../database/utc-timestamp';
import type { Finding } from './finding';
import { FOREIGN_STAKE, MAY_HAVE_BEEN_MISREAD, RECLAIM_UNDECIDED } from './suspect-readings';

export interface FindingView extends Finding {
  readonly id: bigint;
  readonly action: string | null;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly resolved_at: string | null;
  readonly acknowledged_at: string | null;
  /** Of the operator who acknowledged it. */
  readonly note: string | null;
}

/** What decides whether it can be acknowledged. */
export interface LockedFinding {
  readonly kind: string;
  readonly subject: string;
  readonly amount_sun: bigint | null;
  readonly is_resolved: boolean;
  readonly is_acknowledged: boolean;
}

const SEEN: Statement = {
  name: 'finding_seen',
  text: `insert into findings (kind, subject, reason, next_step, amount_sun)
         select $1, $2, $3, $4, $5::bigint
          where not exists (select 1 from findings a
                             where a.kind = $1 and a.subject = $2 and a.acknowledged_at is not null and a.amount_sun >= $5::bigint)
         on conflict (kind, subject) where resolved_at is null
         do update set reason = excluded.reason, next_step = excluded.next_step, amount_sun = excluded.amount_sun, last_seen_at = now()
         returning id, xmax = 0 as is_new`,
};
/** Waits for an operator who acknowledges it at this moment: the statement after this one sees that. */
const LOCK_OPEN: Statement = {
  name: 'finding_lock_open',
  text: `select id from findings where kind = $1 and subject = $2 and resolved_at is null for update`,
};
const ACTED: Statement = { name: 'finding_acted', text: 'update findings set action = $2 where id = $1' };
/**
 * An hour without a moment in which nothing of ours was under way between wallet and receiver: foreign stake may be long gone, and
 * an alarm for it must not ring for as long as somebody orders. Missing stake keeps its wallet paused, so that moment comes.
 */
const GONE: Statement = {
  name: 'finding_gone',
  text: `update findings f set resolved_at = now() where resolved_at is null and not (id = any($1::bigint[]))
            and ($6::timestamptz is null or f.last_seen_at < $6::timestamptz or f.last_seen_at > clock_timestamp())
            and not (kind = any($2) and (subject = any($3) or ${RECLAIM_UNDECIDED}))
            and not (kind = any($4) and subject = any($5) and last_seen_at > now() - interval '1 hour')
         returning kind, subject`,
};
/** To the microsecond, as the rows have it. */
const NOW: Statement = { name: 'finding_now', text: 'select clock_timestamp()::text as now' };
const COLUMNS = `id, kind, subject, reason, next_step, action, ${utcMicroseconds('first_seen_at')} as first_seen_at,
  ${utcMicroseconds('last_seen_at')} as last_seen_at, ${utcMicroseconds('resolved_at')} as resolved_at,
  ${utcMicroseconds('acknowledged_at')} as acknowledged_at, note`;
const LIST: Statement = {
  name: 'finding_list',
  text: `select ${COLUMNS}
           from findings where $1::boolean or resolved_at is null order by first_seen_at desc, id desc limit $2::bigint`,
};

/** Subjects of findings that a run could neither see nor see to be gone: orders under way may account for them. */
export interface Undecided {
  readonly foreign: readonly string[];
  readonly missing: readonly string[];
}

const NOTHING: Undecided = { foreign: [], missing: [] };

export interface SeenFinding {
  readonly id: bigint;
  /** Seen for the first time, or again after it had gone. */
  readonly isNew: boolean;
}

const OPEN_IDS: Statement = {
  name: 'finding_open_ids',
  text: `select id, kind, subject from findings where resolved_at is null`,
};
const LOCK: Statement = {
  name: 'finding_lock',
  text: `select kind, subject, amount_sun, resolved_at is not null as is_resolved, acknowledged_at is not null as is_acknowledged
           from findings where id = $1 for update`,
};
const ACKNOWLEDGE: Statement = {
  name: 'finding_acknowledge',
  text: `update findings set acknowledged_at = now(), resolved_at = now(), note = $2 where id = $1 returning ${COLUMNS}`,
};

export interface ResolvedFinding {
  readonly kind: string;
  readonly subject: string;
}

/** Findings outlive the run that made them: a panel shows them, and what was done once is not done again. */
@Injectable()
export class FindingStore {
  constructor(private readonly sql: Sql) {}

  /** Null when an operator has acknowledged it since it was found. */
  async seen({ kind, subject, reason, next_step, amountSun }: Finding): Promise<SeenFinding | null> {
    return this.sql.transaction(async (tx) => {
      await tx.rows(LOCK_OPEN, [kind, subject]);
      const values = [kind, subject, reason, next_step, amountSun ?? null];
      const row = await tx.row<{ id: bigint; is_new: boolean }>(SEEN, values);
      return row && { id: row.id, isNew: row.is_new };
    });
  }

  /** @throws MissingError */
  async lock(id: bigint, tx: SqlTransaction): Promise<LockedFinding> {
    const row = await tx.row<LockedFinding & Record<string, unknown>>(LOCK, [id]);
    if (!row) throw new MissingError('finding.not-found', { id });
    return row;
  }

  /** It is history, and as much of it is no finding any more. */
  async acknowledge(id: bigint, note: string, tx: SqlTransaction): Promise<FindingView> {
    return (await tx.row<FindingView & Record<string, unknown>>(ACKNOWLEDGE, [id, note]))!;
  }

  /** Of what is open, by kind and subject. */
  async openIds(): Promise<ReadonlyMap<string, bigint>> {
    const rows = await this.sql.rows<{ id: bigint; kind: string; subject: string }>(OPEN_IDS);
    return new Map(rows.map(({ id, kind, subject }) => [`${kind} ${subject}`, id]));
  }

  async acted(id: bigint, action: string): Promise<void> {
    await this.sql.execute(ACTED, [id, action]);
  }

  async now(): Promise<string> {
    return (await this.sql.row<{ now: string }>(NOW))!.now;
  }

  /** What a run has not seen is no more, unless it could not be seen, or another run has seen it since this one began. */
  resolveOthers(
    seenIds: readonly bigint[],
    begunAt: string | null = null,
    { foreign, missing }: Undecided = NOTHING,
  ): Promise<ResolvedFinding[]> {
    const values = [seenIds, MAY_HAVE_BEEN_MISREAD, missing, FOREIGN_STAKE, foreign, begunAt];
    return this.sql.rows<ResolvedFinding & Record<string, unknown>>(GONE, values);
  }

  /** Newest first; open ones alone unless asked otherwise. */
  list({ resolved = false, limit }: { resolved?: boolean; limit?: number } = {}): Promise<FindingView[]> {
    return this.sql.rows<FindingView & Record<string, unknown>>(LIST, [resolved, limit ?? null]);
  }
}
