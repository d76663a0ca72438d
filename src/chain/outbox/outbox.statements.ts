import type { Statement } from '../../database/sql';

/** $1: transactions, as JSON; $2: their orders. Of these, those whose order's row is there: it comes first in the transaction. */
export const INSERT: Statement = {
  name: 'outbox_insert',
  text: `insert into chain_transactions
           (tx_id, purpose, delegation_id, wallet_id, receiver, amount_sun, raw_data, raw_data_hex, signature,
            expiration_ms, ref_block_number, ref_block_id, resend)
         select tx_id, purpose, delegation_id, wallet_id, receiver, amount_sun, raw_data, raw_data_hex, signature,
                expiration_ms, ref_block_number, ref_block_id, resend
           from json_to_recordset($1::json)
             as o (tx_id text, purpose text, delegation_id uuid, wallet_id uuid, receiver text, amount_sun bigint,
                   raw_data jsonb, raw_data_hex text, signature text, expiration_ms bigint, ref_block_number bigint,
                   ref_block_id text, resend boolean)
          where o.delegation_id in (select d.id from delegations d where d.id = any($2::uuid[]))`,
};

/** $1: what the nodes said of each, as JSON; $2: the txids again. Locked in the order of their ids, like wherever many are. */
export const MARK_ANSWERED: Statement = {
  name: 'outbox_mark_answered',
  text: `with open as (
           select t.id, o.accepted, o.detail
             from json_to_recordset($1::json) as o (tx_id text, accepted boolean, detail jsonb)
             join chain_transactions t using (tx_id)
            where t.tx_id = any($2::text[])
            order by t.id for update of t
         ), sent as (
           update chain_transactions t
              set state = case when t.state = 'saved' and open.accepted then 'sent' else t.state end,
                  last_sent_at = clock_timestamp()
             from open where t.id = open.id
           returning t.delegation_id, t.purpose, open.detail
         )
         insert into delegation_events (delegation_id, kind, detail)
         select delegation_id, purpose || ' sent', detail from sent`,
};

/**
 * The first sending is the order's own; the follower waits a block or two before it repeats it. A delegation is sent again only
 * while its order stands answered with success: whoever was told of a failure, or of nothing, may have tried again.
 */
export const CLAIM_RESENDS: Statement = {
  name: 'outbox_claim_resends',
  text: `update chain_transactions set last_sent_at = clock_timestamp()
          where id in (
            select t.id from chain_transactions t
             where t.state in ('saved', 'sent') and t.expiration_ms > $1
               and coalesce(t.last_sent_at, t.created_at)
                     not between clock_timestamp() - interval '6 seconds' and clock_timestamp()
               and (t.resend or t.purpose = 'delegation'
                                and exists (select 1 from delegations d where d.id = t.delegation_id and d.answer = 'success'))
             order by t.id limit $2 for update of t skip locked)
         returning *`,
};

export const ANY_OPEN: Statement = {
  name: 'outbox_any_open',
  text: `select exists (select from chain_transactions where state in ('saved', 'sent', 'included')) as any`,
};

/** Where the solid chain is to be read from: $1 are settled otherwise, and below $2 nothing can be read. */
export const SOLID_WINDOW: Statement = {
  name: 'outbox_solid_window',
  text: `select min(ref_block_number) as from_block from chain_transactions
          where state in ('saved', 'sent', 'included') and not (id = any($1::bigint[])) and ref_block_number >= $2`,
};

export const OPEN_REFERENCES: Statement = {
  name: 'outbox_open_references',
  text: `select distinct ref_block_number as number from chain_transactions
          where state in ('saved', 'sent', 'included') order by 1`,
};

/** Which of a block's transactions are ours and still open. */
export const OPEN_AMONG: Statement = {
  name: 'outbox_open_among',
  text: `select * from chain_transactions where tx_id = any($1) and state in ('saved', 'sent', 'included')`,
};

export const EXPIRED_OPEN: Statement = {
  name: 'outbox_expired_open',
  text: `select * from chain_transactions
          where state in ('saved', 'sent', 'included') and expiration_ms <= $1 and ref_block_number >= $2
          order by id limit 1000`,
};

/**
 * $1: one or many, locked in the order of their ids; $2: of those in this block all is known. Those that somebody else has locked
 * now are not waited for.
 */
export const LOCK_OPEN: Statement = {
  name: 'outbox_lock_open',
  text: `with wanted as (
           select id, purpose, delegation_id from chain_transactions
            where id = any($1::bigint[]) and state in ('saved', 'sent', 'included') and block_id is distinct from $2
         ), locked as (
           select id from chain_transactions
            where id = any($1::bigint[]) and state in ('saved', 'sent', 'included') and block_id is distinct from $2
            order by id for update skip locked
         )
         select wanted.*, locked.id is not null as is_locked from wanted left join locked using (id)`,
};

/** $1: locked ones. */
export const MARK_INCLUDED: Statement = {
  name: 'outbox_mark_included',
  text: `update chain_transactions set state = 'included', block_number = $2, block_id = $3, block_time_ms = $4
          where id = any($1::bigint[]) returning *`,
};

/** Blocks that the head chain dropped give their transactions back to the pool, or lose them. */
export const DROPPED_IN: Statement = {
  name: 'outbox_dropped_in',
  text: `select * from chain_transactions where block_id = any($1) and state = 'included'`,
};

/** Only from the block that was dropped: it may have landed in another since. */
export const MARK_DROPPED: Statement = {
  name: 'outbox_mark_dropped',
  text: `update chain_transactions set state = 'sent', block_number = null, block_id = null, block_time_ms = null
          where id = any($1::bigint[]) and state = 'included' and block_id = $2 returning *`,
};

/** $1: locked ones. */
export const MARK_FINAL: Statement = {
  name: 'outbox_mark_final',
  text: `update chain_transactions set state = 'final', block_number = $2, block_id = $3, block_time_ms = $4
          where id = any($1::bigint[]) returning *`,
};

/** $1: locked ones. */
export const MARK_DEAD: Statement = {
  name: 'outbox_mark_dead',
  text: `update chain_transactions set state = 'dead', block_number = null, block_id = null, block_time_ms = null
          where id = any($1::bigint[]) returning *`,
};

/** Of these, the open ones, with who pays for their orders. */
export const OPEN_WITH_PAYERS: Statement = {
  name: 'outbox_open_with_payers',
  text: `select t.id, t.block_id, d.user_id as payer
           from chain_transactions t join delegations d on d.id = t.delegation_id
          where t.id = any($1::bigint[]) and t.state in ('saved', 'sent', 'included')`,
};

/** Blocks in which open transactions were last seen, to be compared with the chain after a pause. */
export const INCLUDED_BLOCKS: Statement = {
  name: 'outbox_included_blocks',
  text: `select distinct block_number, block_id, block_time_ms from chain_transactions where state = 'included'`,
};
