import { Injectable } from '@nestjs/common';
import { PLAIN_ANSWER } from '../chain/transactions/outbox/outbox';
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

/**
 * What happened, with what stands on the order's own row and on that of the transaction: an event does not repeat it. `block_id` is
 * that of the block it has come to stay in; of a block that a fork dropped, the event of its dropping has the id.
 */
const DETAIL = `case
    when e.kind = 'ordered' then jsonb_build_object('wallet', w.name, 'stake_sun', d.stake_sun::text)
    when e.kind = 'answered' then jsonb_build_object('answer', d.answer, 'code', d.answer_code)
    when e.detail ? 'tx' then jsonb_build_object('txid', t.tx_id)
    else '{}' end
  || case when e.detail ? 'dropped' then jsonb_build_object('block_id', e.detail -> 'dropped')
          when (e.detail ->> 'block')::bigint = t.block_number then jsonb_build_object('block_id', t.block_id)
          else '{}' end
  || e.detail - array['tx', 'dropped']`;
const EVENT = `${utcMicroseconds('e.at')} as at, e.kind, ${DETAIL} as detail`;
/** `ids`: of the orders, for each table by itself: joined by their rows alone, a plan may read a whole table. */
const from = (ids: string) => `delegation_events e
   left join delegations d on d.id = e.delegation_id and d.id = any(${ids})
   left join pool_wallets w on w.id = d.wallet_id
   left join chain_transactions t
     on t.subject_id = e.delegation_id and t.subject_id = any(${ids}) and t.id = (e.detail ->> 'tx')::bigint`;

const HISTORY = statement<[orderId: string], HistoryEntry>(
  'delegation_history',
  `select ${EVENT} from ${from('array[$1::uuid]')} where e.delegation_id = $1 order by e.id`,
);

/** $2: only what came after this event; $3: how much. */
const HISTORY_PAGE = statement<[orderId: string, after: bigint | null, limit: number], PagedHistoryEntry>(
  'delegation_history_page',
  `select e.id, ${EVENT} from ${from('array[$1::uuid]')}
          where e.delegation_id = $1 and e.id > coalesce($2::bigint, 0) order by e.id limit $3`,
);

const HISTORIES = statement<[orderIds: readonly string[]], HistoryEntry & { readonly delegation_id: string }>(
  'delegation_histories',
  `select e.delegation_id, ${EVENT} from ${from('$1::uuid[]')}
    where e.delegation_id = any($1::uuid[]) order by e.delegation_id, e.id`,
);

const LAST_EVENTS = statement<[orderId: string, limit: number], Omit<HistoryEntry, 'at'>>(
  'reclaim_last_events',
  `select kind, detail from delegation_events where delegation_id = $1 order by id desc limit $2`,
);

/** The table `delegation_events`: the history of each order. */
@Injectable()
export class OrderHistories {
  constructor(private readonly sql: Sql) {}

  async note(tx: SqlTransaction, orderId: string, kind: string, detail: Record<string, unknown>): Promise<void> {
    await tx.execute(NOTE, [orderId, kind, JSON.stringify(detail)]);
  }

  async history(orderId: string): Promise<HistoryEntry[]> {
    return (await this.sql.rows(HISTORY, [orderId])).map(inFull);
  }

  /** Oldest first, paged by key: a reclaim that fails for months is tried, and noted, thousands of times. */
  async historyPage(orderId: string, page: { after: bigint | null; limit: number }): Promise<PagedHistoryEntry[]> {
    return (await this.sql.rows(HISTORY_PAGE, [orderId, page.after, page.limit])).map(inFull);
  }

  /** Histories of many orders, by order. */
  async histories(orderIds: readonly string[]): Promise<Map<string, HistoryEntry[]>> {
    const byOrder = new Map<string, HistoryEntry[]>();
    for (const { delegation_id: id, ...entry } of await this.sql.rows(HISTORIES, [orderIds])) {
      byOrder.set(id, [...(byOrder.get(id) ?? []), inFull(entry)]);
    }
    return byOrder;
  }

  /** Newest first. */
  last(orderId: string, limit: number): Promise<Omit<HistoryEntry, 'at'>[]> {
    return this.sql.rows(LAST_EVENTS, [orderId, limit]);
  }
}

/** A sending says only what was out of the ordinary. */
function inFull<Entry extends HistoryEntry>(entry: Entry): Entry {
  const { nodes, ...rest } = entry.detail;
  if (!Array.isArray(nodes)) return entry;
  const answers = (nodes as Record<string, unknown>[]).map((node) =>
    'kind' in node ? node : { ...node, ...PLAIN_ANSWER },
  );
  return { ...entry, detail: { outcome: 'accepted', ...rest, nodes: answers } };
}
