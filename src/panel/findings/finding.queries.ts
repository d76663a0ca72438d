import { Injectable } from '@nestjs/common';
import { Sql, type Statement } from '../../database/sql';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

export interface FindingRow {
  readonly id: bigint;
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
  readonly action: string | null;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
  readonly resolved_at: Date | null;
  readonly amount_sun: bigint | null;
  readonly acknowledged_at: Date | null;
  readonly note: string | null;
}

const COLUMNS = `id, kind, subject, reason, next_step, action, first_seen_at, last_seen_at, resolved_at, amount_sun,
  acknowledged_at, note`;

/** By the key alone, and without a choice between two conditions: a plan that serves every page begins at the right row. */
const list = (where: string) => `
  select ${COLUMNS}
    from findings where ${where} and id < coalesce($2::bigint, 9223372036854775807)
   order by id desc limit $1`;

const OPEN: Statement = { name: 'panel-findings-open', text: list('resolved_at is null') };
const ALL: Statement = { name: 'panel-findings-all', text: list('true') };
const SHORTAGE: Statement = {
  name: 'panel-finding-shortage',
  text: `select ${COLUMNS} from findings where id = $1 and kind = 'shortage' and resolved_at is null`,
};
const LAST_RUN: Statement = {
  name: 'panel-findings-last-run',
  text: `select ran_at from job_runs where name = 'reconcile'`,
};

/** What the reconciler keeps. */
@Injectable()
export class FindingQueries {
  constructor(private readonly sql: Sql) {}

  /** Newest first. */
  async page(resolvedToo: boolean, after: string): Promise<PageOf<FindingRow>> {
    const before = /^\d{1,18}$/.test(after) ? BigInt(after) : null;
    const statement = resolvedToo ? ALL : OPEN;
    const found = await this.sql.rows<FindingRow & Record<string, unknown>>(statement, [PAGE_SIZE + 1, before]);
    return cutPage(found, ({ id }) => id.toString());
  }

  /** That can be acknowledged. */
  async openShortage(id: bigint): Promise<FindingRow | null> {
    return this.sql.row<FindingRow & Record<string, unknown>>(SHORTAGE, [id]);
  }

  async lastRunAt(): Promise<Date | null> {
    return (await this.sql.row<{ ran_at: Date }>(LAST_RUN))?.ran_at ?? null;
  }
}
