import { IS_OPEN } from '../../chain/outbox/chain-transaction.entity';
import { statement } from '../../database/statement';
import { FINISHED_STATES, sqlList } from '../order.states';

type Moved = readonly [ids: readonly string[]];

const COLUMNS = {
  delegations: `id, user_id, receiver, transactions, energy, rental_minutes, activate, idempotency_key, state, wallet_id, stake_sun,
    cost_sun, paid_by, activates, answer, answer_code, answered_at, delegation_block, delegated_at, reclaim_due_at, reclaimed_at,
    shortage_sun, epoch, claimed_until, claim_ms, attempts, next_attempt_at, last_error, created_at`,
  holds: `delegation_id, user_id, amount_sun, subscription_id, quota_energy, state, created_at, settled_at, token_day_id, counted_sun,
    max_cost_sun`,
  chain_transactions: `id, tx_id, purpose, delegation_id, wallet_id, receiver, amount_sun, raw_data, raw_data_hex, signature,
    raw_data_bytes, signature_bytes, expiration_ms, ref_block_number, ref_block_id, state, resend, last_sent_at, block_number, block_id,
    block_time_ms, created_at, tail_bytes, branch_bytes`,
  delegation_events: 'id, delegation_id, at, kind, detail',
};

/**
 * $1: how long orders are retained. Beside that they have been over for two days: the limit of free activations looks a day back, the
 * comparison with the chain an hour. An order that somebody works on has its row locked: it is left to the next run. One that was never
 * answered, because its instance was killed, stays: a caller who repeats its key gets the answer from its row. What is compared with
 * `clock_timestamp()`, which differs from row to row, is looked up in no index: all orders would be read.
 */
export const LOCK_OLD = statement<[retainMs: number, limit: number], { id: string }>(
  'archive_lock_old',
  `select d.id from delegations d
    where d.created_at < statement_timestamp() - $1::float8 * interval '1 millisecond'
      and greatest(d.created_at, d.answered_at, d.reclaimed_at) < clock_timestamp() - interval '2 days'
      and d.state in ${sqlList(FINISHED_STATES)} and d.answer <> 'none'
      and not exists (select from holds h where h.delegation_id = d.id and h.state = 'held')
      and not exists (select from chain_transactions t where t.delegation_id = d.id and t.${IS_OPEN})
    order by d.created_at, d.id limit $2 for update of d skip locked`,
);

const move = (table: keyof typeof COLUMNS, key: string) =>
  statement<[...Moved]>(
    `archive_${table}`,
    `with gone as (
       delete from ${table} where ${key} = any($1::uuid[]) returning ${COLUMNS[table]}
     )
     insert into archived_${table} (${COLUMNS[table]}) select ${COLUMNS[table]} from gone`,
  );

/** Before their rows go: from here on the index of `chain_transactions` does not find them. */
const KEEP_TX_IDS = statement<[...Moved]>(
  'archive_keep_tx_ids',
  `insert into order_keys (key, delegation_id)
   select decode(tx_id, 'hex'), delegation_id from chain_transactions
    where delegation_id = any($1::uuid[]) and tx_id ~ '^[0-9a-f]{64}$'
   on conflict (key) do nothing`,
);

/** In their order, with the order's ids; the order itself last. */
export const MOVES = [
  KEEP_TX_IDS,
  move('delegation_events', 'delegation_id'),
  move('chain_transactions', 'delegation_id'),
  move('holds', 'delegation_id'),
  move('delegations', 'id'),
];
