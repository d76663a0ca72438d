import type { ErrorCode } from '../common/errors/error-codes';
import { IS_RESTORED } from '../database/identity/database-identity.sql';
import { statement } from '../database/statement';
import { UNCLAIMED } from './leases';
import { keyHash, orderOf } from './order-key.sql';
import { ORDER_COLUMNS, type OrderRow, WRITTEN_TYPES, writtenColumns } from './order.entity';
import { CHARGED_STATES, OPEN_STATES, sqlList, type OrderState } from '../common/order.states';

export interface AnsweredRow {
  readonly id: string;
  readonly epoch: number;
  readonly cost_sun: bigint;
  readonly tx_id: string;
}

/** It may be on chain: whatever is signed and not proved dead, unless it was to be taken back. */
const ANSWERABLE: readonly OrderState[] = ['pending', 'sent', 'included', ...CHARGED_STATES];

/*
 * Statements on many rows are given their keys a second time, as an array: of JSON the planner assumes a hundred rows, and while
 * the tables are small it would keep a plan that reads all of them.
 */

/**
 * $1: orders, as JSON; $2: their ids again. Of these, those whose cost is held: their holds come before them in the transaction. One whose
 * day is closed already, because the clock was set back, is late at once: nothing else would count it in its day.
 */
export const INSERT_ORDERS = statement<[orders: string, ids: readonly string[]]>(
  'delegation_insert',
  `with ordered as (
           select ${writtenColumns('o.')}, o.claim_ms, o.detail, h.amount_sun,
                  case when h.subscription_id is null then 'balance' else 'subscription' end as paid_by
             from json_to_recordset($1::json) as o (${WRITTEN_TYPES}, claim_ms integer, detail jsonb)
             join holds h on h.delegation_id = o.id
            where h.delegation_id = any($2::uuid[])
         ), order_row as (
           insert into delegations (${writtenColumns()}, cost_sun, paid_by, claimed_until, claim_ms)
           select ${writtenColumns()}, amount_sun, paid_by, clock_timestamp() + claim_ms * interval '1 millisecond', claim_ms
             from ordered
           returning id, created_at
         ), late as (
           insert into late_orders (id, day) select id, (created_at at time zone 'utc')::date from order_row
            where (created_at at time zone 'utc')::date <= (select max(day) from closed_order_days)
         )
         insert into delegation_events (delegation_id, kind, detail) select id, 'ordered', detail from ordered`,
);

export const FIND_BY_KEY = statement<[userId: string, key: string], OrderRow>(
  'delegation_find_by_key',
  `select ${ORDER_COLUMNS} from delegations d where d.id = ${orderOf(keyHash('$1', '$2'))}`,
);

/** $1: users and idempotency keys, with a space between. */
export const USED_KEYS = statement<[keys: readonly string[]], { key: string }>(
  'delegation_used_keys',
  `select k as key from unnest($1::text[]) k
          where exists (select from order_keys used where used.key = ${keyHash('left(k, 36)', 'substr(k, 38)')})`,
);

export const FIND = statement<[id: string], OrderRow>(
  'delegation_find',
  `select ${ORDER_COLUMNS} from delegations d where d.id = $1`,
);

/** While another request decides: has it answered, and does its claim still hold? */
export const FIND_WITH_CLAIM = statement<[id: string], OrderRow & { readonly lapsed: boolean }>(
  'delegation_wait_for_answer',
  `select ${ORDER_COLUMNS}, ${UNCLAIMED} as lapsed from delegations d where d.id = $1`,
);

/** In the order of their ids, so that no two transactions wait for each other. */
export const LOCK_ALL = statement<[ids: readonly string[]], OrderRow>(
  'delegation_lock_all',
  `select ${ORDER_COLUMNS} from delegations d where d.id = any($1::uuid[]) order by d.id for update`,
);

/** Those that no other transaction has locked. */
export const LOCK_FREE = statement<[ids: readonly string[]], { id: string }>(
  'delegation_lock_free',
  `select id from delegations where id = any($1::uuid[]) order by id for update skip locked`,
);

/** The receiver exists now and the delegation is signed; the lease goes on for the wait that follows. */
export const SIGNED_AFTER_ACTIVATION = statement<
  [id: string, before: readonly OrderState[], epoch: number, leaseMs: number]
>(
  'delegation_signed_after_activation',
  `update delegations set state = 'pending', claimed_until = clock_timestamp() + $4::integer * interval '1 millisecond', claim_ms = $4
          where id = $1 and state = any($2) and answer = 'none' and epoch = $3 and not ${IS_RESTORED}`,
);

export const LOCK_UNANSWERED = statement<[id: string, epoch: number], { id: string }>(
  'delegation_lock_unanswered',
  `select id from delegations where id = $1 and answer = 'none' and epoch = $2 for update`,
);

export const LOWER_COST = statement<[id: string, bySun: bigint]>(
  'delegation_lower_cost',
  `update delegations set cost_sun = cost_sun - $2 where id = $1`,
);

/** No event of its own: what the nodes said of the sending is one, written with it. */
export const MARK_SENT = statement<[id: string, before: readonly OrderState[]]>(
  'delegation_mark_sent',
  `update delegations set state = 'sent' where id = $1 and state = any($2)`,
);

/** $1: orders, as JSON; $2: their ids again, by which they are found. Locked in the order of their ids, like wherever many are. Gives those that it changed. */
export const CHANGE_STATES = statement<
  [orders: string, ids: readonly string[], before: readonly OrderState[], state: OrderState],
  { id: string }
>(
  'delegation_change_state',
  `with open as (
           select d.id, o.detail
             from json_to_recordset($1::json) as o (id uuid, detail jsonb)
             join delegations d using (id)
            where d.id = any($2::uuid[]) and d.state = any($3)
            order by d.id for update of d
         ), changed as (
           update delegations d set state = $4 from open where d.id = open.id returning d.id, open.detail
         )
         insert into delegation_events (delegation_id, kind, detail) select id, $4, detail from changed
         returning delegation_id as id`,
);

/**
 * $1: answers, as JSON; $2: their ids again. Gives all that the caller is answered with; an answer may come before the note that it
 * was sent ($3: what `sent` may follow). Locked in the order of their ids, like wherever many are.
 */
export const ANSWER_SUCCESSES = statement<
  [answers: string, ids: readonly string[], beforeSent: readonly OrderState[]],
  AnsweredRow
>(
  'delegation_answer_success',
  `with open as (
           select d.id, o.code
             from json_to_recordset($1::json) as o (id uuid, epoch integer, code text)
             join delegations d using (id)
            where d.id = any($2::uuid[]) and d.answer = 'none' and d.epoch = o.epoch
              and d.state in ${sqlList(ANSWERABLE)}
            order by d.id for update of d
         ), answered as (
           update delegations d
              set answer = 'success', answer_code = open.code, answered_at = clock_timestamp(), claimed_until = null,
                  state = case when d.state = any($3) then 'sent' else d.state end
             from open where d.id = open.id
           returning d.id, d.epoch, d.cost_sun
         ), noted as (
           insert into delegation_events (delegation_id, kind, detail)
           select id, 'answered', '{}' from answered
         )
         select a.id, a.epoch, a.cost_sun, t.tx_id from answered a
           join chain_transactions t on t.subject_id = a.id and t.purpose = 'delegation'`,
);

/**
 * Refused once the money has been taken: then only a success can still be the answer. $5: what a node refused it for. Gives the state
 * that it was answered in: one that waited for its activation has failed with the answer. `taken_over`: the request that it came with is
 * gone, by no fault of its caller (free-activation.repository.ts).
 */
export const ANSWER_FAILURE = statement<
  [id: string, epoch: number, code: ErrorCode, reason: string, refusal: string | null],
  { before: OrderState }
>(
  'delegation_answer_failure',
  `with open as (
           select id, state from delegations
            where id = $1 and answer = 'none' and epoch = $2
              and state in ${sqlList([...OPEN_STATES, 'failed'])}
            for update
         ), answered as (
           update delegations d
              set answer = 'failure', answer_code = $3, answered_at = clock_timestamp(), claimed_until = null,
                  last_error = coalesce($5, d.last_error),
                  state = case when open.state = 'activating' then 'failed' else d.state end
             from open where d.id = open.id
           returning d.id
         ), noted as (
           insert into delegation_events (delegation_id, kind, detail)
           select id, 'answered', jsonb_strip_nulls(jsonb_build_object(
                    'answer', 'failure', 'code', $3::text, 'reason', $4::text, 'taken_over', case when $2 > 0 then true end))
             from answered
         )
         select open.state as before from open join answered using (id)`,
);

/** Only an order whose lease has run out: its instance has ended or was stopped for too long. From now on its epoch writes nothing. */
export const TAKE_OVER = statement<[id: string, leaseMs: number], OrderRow>(
  'delegation_take_over',
  `update delegations d
            set epoch = epoch + 1, claimed_until = clock_timestamp() + $2::integer * interval '1 millisecond', claim_ms = $2
          where d.id = $1 and d.answer = 'none' and ${UNCLAIMED}
         returning ${ORDER_COLUMNS}`,
);

/** Abandoned between their activation and their delegation: no delegation was signed, so none can land. $1: not these. */
export const ABANDONED_ACTIVATING = statement<[except: readonly string[]], OrderRow>(
  'delegation_abandoned_activating',
  `select ${ORDER_COLUMNS} from delegations d
          where d.state = 'activating' and d.claimed_until is not null and ${UNCLAIMED} and not (d.id = any($1::uuid[]))
          order by d.created_at limit 1 for update skip locked`,
);

export const SETTLED_IN_BLOCK = statement<
  [
    id: string,
    before: readonly OrderState[],
    state: OrderState,
    block: bigint | null,
    blockMs: number,
    dueMs: number,
    detail: string,
  ]
>(
  'delegation_settled_in_block',
  `with changed as (
           update delegations
              set state = $3, delegation_block = $4, delegated_at = to_timestamp($5 / 1000.0),
                  reclaim_due_at = to_timestamp($6 / 1000.0), last_error = null
            where id = $1 and state = any($2)
           returning id
         )
         insert into delegation_events (delegation_id, kind, detail) select id, $3, $7::jsonb from changed`,
);

export const TAKEN_BACK = statement<
  [id: string, before: readonly OrderState[], state: OrderState, blockMs: number, detail: string]
>(
  'delegation_taken_back',
  `with changed as (
           update delegations
              set state = $3, reclaimed_at = to_timestamp($4 / 1000.0), claimed_until = null, last_error = null,
                  stake_missing = false, stake_doubted = false
            where id = $1 and state = any($2)
           returning id
         )
         insert into delegation_events (delegation_id, kind, detail) select id, $3, $5::jsonb from changed`,
);
