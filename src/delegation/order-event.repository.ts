import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';

export interface HistoryEntry {
  readonly at: string;
  readonly kind: string;
  readonly detail: Record<string, unknown>;
}

export interface PagedHistoryEntry extends HistoryEntry {
  readonly id: bigint;
}

const NOTE = statement<[orderId: string, kind: string, detail: string]>(
  'delegation_note_event',
  `insert into delegation_events (delegation_id, kind, detail) values ($1, $2, $3::jsonb)`,
);

const HISTORY = statement<[orderId: string], HistoryEntry>(
  'delegation_history',
  `select ${utcMicroseconds('at')} as at, kind, detail from delegation_events where delegation_id = $1 order by id`,
);

/** $2: only what came behind this event; $3: how much. */
const HISTORY_PAGE = statement<[orderId: string, after: bigint | null, limit: number], PagedHistoryEntry>(
  'delegation_history_page',
  `select id, ${utcMicroseconds('at')} as at, kind, detail from delegation_events
          where delegation_id = $1 and id > coalesce($2::bigint, 0) order by id limit $3`,
);

const HISTORIES = statement<[orderIds: readonly string[]], HistoryEntry & { readonly delegation_id: string }>(
  'delegation_histories',
  `select delegation_id, ${utcMicroseconds('at')} as at, kind, detail from delegation_events
          where delegation_id = any($1) order by delegation_id, id`,
);

const LAST_EVENTS = statement<[orderId: string, limit: number], Omit<HistoryEntry, 'at'>>(
  'reclaim_last_events',
  `select kind, detail from delegation_events where delegation_id = $1 order by id desc limit $2`,
);

/** The table `delegation_events`: the history of each order. */
@Injectable()
export class OrderEventRepository {
  constructor(private readonly sql: Sql) {}

  async note(tx: SqlTransaction, orderId: string, kind: string, detail: Record<string, unknown>): Promise<void> {
    await tx.execute(NOTE, [orderId, kind, JSON.stringify(detail)]);
  }

  history(orderId: string): Promise<HistoryEntry[]> {
    return this.sql.rows(HISTORY, [orderId]);
  }

  /** Oldest first, paged by key: a reclaim that fails for months is tried, and noted, thousands of times. */
  historyPage(orderId: string, page: { after: bigint | null; limit: number }): Promise<PagedHistoryEntry[]> {
    return this.sql.rows(HISTORY_PAGE, [orderId, page.after, page.limit]);
  }

  /** Of many orders, by order. */
  async histories(orderIds: readonly string[]): Promise<Map<string, HistoryEntry[]>> {
    const byOrder = new Map<string, HistoryEntry[]>();
    for (const { delegation_id: id, ...entry } of await this.sql.rows(HISTORIES, [orderIds])) {
      byOrder.set(id, [...(byOrder.get(id) ?? []), entry]);
    }
    return byOrder;
  }

  /** Newest first. */
  last(orderId: string, limit: number): Promise<Omit<HistoryEntry, 'at'>[]> {
    return this.sql.rows(LAST_EVENTS, [orderId, limit]);
  }
}
