import type { Statement } from '../database/sql';

export const NOTE_EVENT: Statement = {
  name: 'delegation_note_event',
  text: `insert into delegation_events (delegation_id, kind, detail) values ($1, $2, $3::jsonb)`,
};

/** Every reclaim that dies makes the next one wait longer, up to ten minutes; the order stays visible with its last error. */
const BACK_OFF = `attempts = attempts + 1, claimed_until = null,
  next_attempt_at = clock_timestamp() + least(10 * 2 ^ least(attempts, 6), 600) * interval '1 second'`;

export const RECLAIM_DIED: Statement = {
  name: 'reclaim_died',
  text: `update delegations set ${BACK_OFF}, last_error = coalesce(last_error, 'the undelegation was in no block before it expired')
          where id = $1`,
};

export const RECLAIM_FAILED: Statement = {
  name: 'reclaim_failed',
  text: `with changed as (update delegations set ${BACK_OFF}, last_error = $3 where id = $1 and epoch = $2 returning id)
         insert into delegation_events (delegation_id, kind, detail)
         select id, 'reclaim failed', jsonb_build_object('reason', $3::text) from changed`,
};

/** In an order's history: less than its stake is there, as one solid block shows. */
export const SHORTAGE_READ = 'shortage read';

/** A shortage was read and has to be read in later solid blocks too. No failure, so nothing backs off; the error stays in sight. */
export const LOOK_AGAIN: Statement = {
  name: 'reclaim_look_again',
  text: `with changed as (
           update delegations set claimed_until = null, next_attempt_at = clock_timestamp() + interval '3 seconds'
            where id = $1 and epoch = $2 returning id
         )
         insert into delegation_events (delegation_id, kind, detail)
         select id, '${SHORTAGE_READ}', $3::jsonb from changed where $3::jsonb is not null`,
};

export const LAST_EVENTS: Statement = {
  name: 'reclaim_last_events',
  text: `select kind, detail from delegation_events where delegation_id = $1 order by id desc limit $2`,
};

/** Due by block time, nobody else's, not backing off, and no undelegation of theirs that could still land or has landed. */
const DUE = `d.state in ('delegated', 'reclaiming', 'taking_back') and d.reclaim_due_at <= to_timestamp($1 / 1000.0)
  and not exists (select 1 from chain_transactions t
                   where t.delegation_id = d.id and t.purpose = 'reclaim' and t.state <> 'dead')`;

export const COUNT_DUE: Statement = {
  name: 'reclaim_count_due',
  text: `select count(*) as due from delegations d where ${DUE}`,
};

export const CLAIM_DUE: Statement = {
  name: 'reclaim_claim_due',
  text: `update delegations
            set epoch = epoch + 1, claimed_until = clock_timestamp() + $3 * interval '1 millisecond'
          where id in (
            select d.id from delegations d
             where ${DUE}
               and (d.next_attempt_at is null or d.next_attempt_at <= clock_timestamp())
               and (d.claimed_until is null or d.claimed_until < clock_timestamp())
             order by d.reclaim_due_at limit $2 for update skip locked)
         returning *`,
};

/** Conditional on the claim: an instance that was stopped past its lease signs nothing. */
export const BEGIN_RECLAIM: Statement = {
  name: 'reclaim_begin',
  text: `update delegations
            set state = case when state = 'delegated' then 'reclaiming' else state end, shortage_sun = $3
          where id = $1 and epoch = $2 and state in ('delegated', 'reclaiming', 'taking_back')`,
};

export const MISSING_DELEGATION: Statement = {
  name: 'reclaim_missing_delegation',
  text: `update delegations set last_error = $2 where id = $1`,
};

/** What else is under way between the wallet and the receiver, what our other orders have lent there, and up to which block that is. */
export const PAIR: Statement = {
  name: 'reclaim_pair',
  text: `select
           (select count(*) from chain_transactions t
             where t.wallet_id = $1 and t.receiver = $2 and t.purpose in ('delegation', 'reclaim')
               and t.state in ('saved', 'sent', 'included')) as in_flight,
           (select coalesce(sum(d.stake_sun), 0)::bigint from delegations d
             where d.wallet_id = $1 and d.receiver = $2 and d.id <> $3
               and d.state in ('delegated', 'reclaiming', 'taking_back')) as lent_by_others_sun,
           (select coalesce(max(t.block_number), 0)::bigint from chain_transactions t
             where t.wallet_id = $1 and t.receiver = $2 and t.purpose in ('delegation', 'reclaim')
               and t.state = 'final') as settled_block`,
};

/** One capped reclaim of a pair at a time, over all instances. */
export const LOCK_PAIR: Statement = {
  name: 'reclaim_lock_pair',
  text: `select pg_advisory_xact_lock(hashtextextended('reclaim ' || $1::text || ' ' || $2::text, 0))`,
};
