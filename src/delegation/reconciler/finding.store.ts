import { Injectable } from '@nestjs/common';
import type { Finding } from '../../billing/audit/audit-check';
import { Sql, type Statement } from '../../database/sql';
import { utcMicroseconds } from '../../database/utc-timestamp';
import { MAY_HAVE_BEEN_MISREAD, RECLAIM_UNDECIDED } from './misread-findings';

export interface FindingView extends Finding {
  readonly id: bigint;
  readonly action: string | null;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly resolved_at: string | null;
}

const SEEN: Statement = {
  name: 'finding_seen',
  text: `insert into findings (kind, subject, reason, next_step) values ($1, $2, $3, $4)
         on conflict (kind, subject) where resolved_at is null
         do update set reason = excluded.reason, next_step = excluded.next_step, last_seen_at = now()
         returning id, xmax = 0 as is_new`,
};
const ACTED: Statement = { name: 'finding_acted', text: 'update findings set action = $2 where id = $1' };
const GONE: Statement = {
  name: 'finding_gone',
  text: `update findings f set resolved_at = now() where resolved_at is null and not (id = any($1::bigint[]))
            and not (kind = any($2) and ${RECLAIM_UNDECIDED})
         returning kind, subject`,
};
const LIST: Statement = {
  name: 'finding_list',
  text: `select id, kind, subject, reason, next_step, action, ${utcMicroseconds('first_seen_at')} as first_seen_at,
                ${utcMicroseconds('last_seen_at')} as last_seen_at, ${utcMicroseconds('resolved_at')} as resolved_at
           from findings where $1::boolean or resolved_at is null order by first_seen_at desc, id desc limit $2::bigint`,
};

export interface SeenFinding {
  readonly id: bigint;
  /** Seen for the first time, or again after it had gone. */
  readonly isNew: boolean;
}

export interface ResolvedFinding {
  readonly kind: string;
  readonly subject: string;
}

/** Findings outlive the run that made them: a panel shows them, and what was done once is not done again. */
@Injectable()
export class FindingStore {
  constructor(private readonly sql: Sql) {}

  async seen({ kind, subject, reason, next_step }: Finding): Promise<SeenFinding> {
    const row = await this.sql.row<{ id: bigint; is_new: boolean }>(SEEN, [kind, subject, reason, next_step]);
    return { id: row!.id, isNew: row!.is_new };
  }

  async acted(id: bigint, action: string): Promise<void> {
    await this.sql.execute(ACTED, [id, action]);
  }

  /** What a whole run has not seen is no more, unless it could not be seen. */
  resolveOthers(seenIds: readonly bigint[]): Promise<ResolvedFinding[]> {
    return this.sql.rows<ResolvedFinding & Record<string, unknown>>(GONE, [seenIds, MAY_HAVE_BEEN_MISREAD]);
  }

  /** Newest first; open ones alone unless asked otherwise. */
  list({ resolved = false, limit }: { resolved?: boolean; limit?: number } = {}): Promise<FindingView[]> {
    return this.sql.rows<FindingView & Record<string, unknown>>(LIST, [resolved, limit ?? null]);
  }
}
