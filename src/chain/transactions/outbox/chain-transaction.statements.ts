import { IS_RESTORED } from '../../../database/identity/database-identity.sql';
import { statement } from '../../../database/statement';
import { IS_OPEN, ORDER } from './chain-transaction.entity';
import {
  type DroppedRow,
  type LockedRow,
  type OpenWithPayer,
  OUTBOX_COLUMNS,
  type OutboxRow,
  SIGNED_COLUMNS,
  type SignedRow,
} from './outbox-row';

type BlockParams = [ids: readonly bigint[], number: number, id: string, timeMs: number];

/** Takes JSON. Leaves out those of an order without a row: an order's row is written first, in the same database transaction. */
export const INSERT = statement<[transactions: string, subjectIds: readonly string[]]>(
  'outbox_insert',
  `insert into chain_transactions
     (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, signature,
      expiration_ms, ref_block_number, resend)
   select tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, decode(raw_data_hex, 'hex'), decode(signature, 'hex'),
          expiration_ms, ref_block_number, resend
     from json_to_recordset($1::json)
       as o (tx_id text, purpose text, subject_kind text, subject_id uuid, wallet_id uuid, receiver text, amount_sun bigint,
             raw_data_hex text, signature text, expiration_ms bigint, ref_block_number bigint,
             resend boolean)
    where o.subject_kind <> '${ORDER}' or o.subject_id in (select d.id from delegations d where d.id = any($2::uuid[]))`,
);

/**
 * Takes JSON with what the nodes answered; an order's history has it too. Rows are locked in the order of their ids, as wherever several are locked: no deadlock. The
 * txids are named twice: of a table without statistics the planner would else read all rows to find those that are locked.
 */
export const MARK_ANSWERED = statement<[answers: string, txIds: readonly string[]]>(
  'outbox_mark_answered',
  `with open as (
     select t.id, o.accepted, o.detail
       from json_to_recordset($1::json) as o (tx_id text, accepted boolean, detail jsonb)
       join chain_transactions t using (tx_id)
      where t.tx_id = any($2::text[])
      order by t.id for update of t
   ), sent as (
     update chain_transactions t
        set state = case when t.state = 'saved' and open.accepted then 'sent' else t.state end,
            last_sent_at = clock_timestamp()
       from open where t.id = open.id and t.tx_id = any($2::text[])
     returning t.id, t.subject_kind, t.subject_id, t.purpose, open.detail
   )
   insert into delegation_events (delegation_id, kind, detail)
   select subject_id, purpose || ' sent', jsonb_build_object('tx', id) || detail from sent where subject_kind = '${ORDER}'`,
);

/**
 * The room that saved it sends first; the follower waits a block or two before it sends again. A delegation is sent again only once its
 * order is answered with success: a caller who got a failure, or no answer, may have ordered again.
 */
export const CLAIM_RESENDS = statement<[headTimeMs: number, limit: number], SignedRow>(
  'outbox_claim_resends',
  `update chain_transactions t set last_sent_at = clock_timestamp()
    where t.id in (
      select t.id from chain_transactions t
       where t.state in ('saved', 'sent') and t.expiration_ms > $1 and not ${IS_RESTORED}
         and coalesce(t.last_sent_at, t.created_at)
               not between clock_timestamp() - interval '6 seconds' and clock_timestamp()
         and (t.resend or t.resend is null and exists (select 1 from delegations d where d.id = t.subject_id and d.answer = 'success'))
       order by t.id limit $2 for update of t skip locked)
   returning ${SIGNED_COLUMNS}`,
);

export const KNOWN_AMONG = statement<[txIds: readonly string[]], { tx_id: string }>(
  'outbox_known_among',
  `select tx_id from chain_transactions where tx_id = any($1::text[])`,
);

export const IN_BLOCKS_AMONG = statement<
  [txIds: readonly string[]],
  { tx_id: string; block_number: bigint; block_id: string; is_final: boolean }
>(
  'outbox_in_blocks_among',
  `select tx_id, block_number, block_id, state = 'final' as is_final from chain_transactions where tx_id = any($1::text[]) and block_id is not null`,
);

/** A server that takes no writes may lack what another has by now: by its word something is always open. */
export const ANY_OPEN = statement<[], { any: boolean }>(
  'outbox_any_open',
  `select exists (select from chain_transactions where ${IS_OPEN}) or current_setting('transaction_read_only')::boolean as any`,
);

/**
 * The block from which final blocks have to be read, of those at or above `lowestBlock`: below it, one cannot be read. A transaction with
 * an older reference can still be in a later block: in the one it was seen in, or in any until the chain has passed its expiration.
 * `excludedIds` are retried elsewhere.
 */
export const LOWEST_OPEN_BLOCK = statement<
  [excludedIds: readonly bigint[], lowestBlock: number, reachedMs: number],
  { from_block: bigint | null }
>(
  'outbox_lowest_open_block',
  `select min(case when ref_block_number >= $2 then ref_block_number
                   when expiration_ms > $3 then $2
                   when block_number >= $2 then block_number end) as from_block
     from chain_transactions
    where ${IS_OPEN} and not (id = any($1::bigint[]))`,
);

/** Which of a block's transactions are ours and still open. */
export const OPEN_AMONG = statement<[txIds: readonly string[]], OutboxRow>(
  'outbox_open_among',
  `select ${OUTBOX_COLUMNS} from chain_transactions t where tx_id = any($1) and ${IS_OPEN}`,
);

export const EXPIRED_OPEN = statement<[reachedMs: number, fromReferenceBlock: number], OutboxRow>(
  'outbox_expired_open',
  `select ${OUTBOX_COLUMNS} from chain_transactions t
    where ${IS_OPEN} and expiration_ms <= $1 and ref_block_number >= $2
    order by id limit 1000`,
);

/**
 * Locks open transactions in the order of their ids, except those already recorded in the given block. Does not wait for rows that
 * another transaction has locked: they come back with `is_locked` false.
 */
export const LOCK_OPEN = statement<[ids: readonly bigint[], knownInBlockId: string], LockedRow>(
  'outbox_lock_open',
  `with wanted as (
     select id, purpose, subject_id from chain_transactions
      where id = any($1::bigint[]) and ${IS_OPEN} and block_id is distinct from $2
   ), locked as (
     select id from chain_transactions
      where id = any($1::bigint[]) and ${IS_OPEN} and block_id is distinct from $2
      order by id for update skip locked
   )
   select wanted.id, wanted.purpose, wanted.subject_id, locked.id is not null as is_locked from wanted left join locked using (id)`,
);

/** The rows are locked by then. */
export const MARK_INCLUDED = statement<BlockParams, OutboxRow>(
  'outbox_mark_included',
  `update chain_transactions t set state = 'included', block_number = $2, block_id = $3, block_time_ms = $4
    where id = any($1::bigint[]) returning ${OUTBOX_COLUMNS}`,
);

/** Transactions of blocks that a fork dropped: each is in no block any more, or in another one. */
export const DROPPED_IN = statement<[blockIds: readonly string[]], OutboxRow>(
  'outbox_dropped_in',
  `select ${OUTBOX_COLUMNS} from chain_transactions t where block_id = any($1) and state = 'included'`,
);

/** Only while the row names the dropped block: the transaction may be in another block by now. */
export const MARK_DROPPED = statement<[ids: readonly bigint[], blockId: string | null], DroppedRow>(
  'outbox_mark_dropped',
  `update chain_transactions t set state = 'sent', block_number = null, block_id = null, block_time_ms = null
    where id = any($1::bigint[]) and state = 'included' and block_id = $2
   returning ${OUTBOX_COLUMNS}, $2 as dropped_block_id`,
);

/** Takes what proves each transaction in hex, or nulls. Its signature is on the chain now, and in the tail of what is proved to others. */
export const MARK_FINAL = statement<
  [...BlockParams, tails: readonly (string | null)[], branches: readonly (string | null)[]],
  OutboxRow
>(
  'outbox_mark_final',
  `update chain_transactions t
      set state = 'final', block_number = $2, block_id = $3, block_time_ms = $4, last_sent_at = null,
          signature = null, tail = decode(p.tail, 'hex'), branch = decode(p.branch, 'hex')
     from unnest($1::bigint[], $5::text[], $6::text[]) as p (id, tail, branch)
    where t.id = p.id and t.id = any($1::bigint[]) returning ${OUTBOX_COLUMNS}`,
);

export const MARK_DEAD = statement<[ids: readonly bigint[]], OutboxRow>(
  'outbox_mark_dead',
  `update chain_transactions t
      set state = 'dead', block_number = null, block_id = null, block_time_ms = null, last_sent_at = null
    where id = any($1::bigint[]) returning ${OUTBOX_COLUMNS}`,
);

/** Those of the given transactions that are still open, with the user who pays for the order that they belong to. */
export const OPEN_WITH_PAYERS = statement<[ids: readonly bigint[]], OpenWithPayer>(
  'outbox_open_with_payers',
  `select t.id, t.block_id, d.user_id as payer
     from chain_transactions t left join delegations d on d.id = t.subject_id and t.subject_kind = '${ORDER}'
    where t.id = any($1::bigint[]) and t.${IS_OPEN}`,
);

/** Blocks in which open transactions were last seen, to compare with the chain after a restart. */
export const INCLUDED_BLOCKS = statement<[], { block_number: bigint; block_id: string }>(
  'outbox_included_blocks',
  `select distinct block_number, block_id, block_time_ms from chain_transactions where state = 'included'`,
);
