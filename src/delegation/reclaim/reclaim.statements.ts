import { IS_OPEN } from '../../chain/transactions/outbox/chain-transaction.entity';
import { transactionsOf } from '../../chain/transactions/outbox/transactions-of.sql';
import { isPaused, staysOn } from '../../chain/pool/switches/switch.sql';
import { closesPair, STAKE_DOUBTED, STAKE_MISSING } from '../../chain/pool/wallets/closed-pairs';
import { IS_CONTINUOUS, IS_THIS_DATABASE } from '../../database/identity/database-identity.sql';
import { statement } from '../../database/statement';
import { UNCLAIMED } from '../leases';
import { ORDER_COLUMNS, type OrderRow } from '../order.entity';
import { LENT_STATES, sqlList } from '../../common/order.states';

/** What our rows say of the stake that one wallet has out at one receiver. */
export interface StakeBetween {
  readonly in_flight: bigint;
  /** One of these is open for longer than a transaction can be: what became of it may never be known. */
  readonly is_stuck: boolean;
  readonly lent_by_others_sun: bigint;
  readonly settled_block: bigint;
}

/** Every reclaim that expires makes the next one wait longer, up to ten minutes; the order stays visible with its last error. */
const waitAfter = (failures: string) => `least(10 * 2 ^ least(${failures}, 6), 600) * interval '1 second'`;
const BACK_OFF = `attempts = attempts + 1, claimed_until = null, next_attempt_at = clock_timestamp() + ${waitAfter('attempts')}`;
/** The wait of an order `d` has ended, or is longer than any after so many failures: then the database's clock was ahead at its begin. */
const HAS_WAITED = `(d.next_attempt_at is null or d.next_attempt_at <= clock_timestamp()
  or d.next_attempt_at > clock_timestamp() + ${waitAfter('greatest(d.attempts - 1, 0)')})`;

export const RECLAIM_EXPIRED = statement<[orderId: string]>(
  'reclaim_died',
  `update delegations set ${BACK_OFF}, last_error = coalesce(last_error, 'the undelegation was in no block before it expired')
          where id = $1`,
);

/** Another error ends a doubt and no more: a stake that was not found is looked for before the order takes any, and said first. */
const noted = (error: string) =>
  `last_error = case when stake_missing and not starts_with(${error}, '${STAKE_MISSING}')
                     then '${STAKE_MISSING}: ' || ${error} else ${error} end,
   stake_doubted = stake_doubted and last_error is not distinct from ${error}`;

export const RECLAIM_FAILED = statement<[orderId: string, epoch: number, reason: string]>(
  'reclaim_failed',
  `with changed as (
           update delegations
              set ${BACK_OFF},
                  ${noted('$3::text')}
            where id = $1 and epoch = $2 returning id
         )
         insert into delegation_events (delegation_id, kind, detail)
         select id, 'reclaim failed', jsonb_build_object('reason', $3::text) from changed`,
);

/** In an order's history: less than its stake is there, as one solid block shows. */
export const SHORTAGE_READ = 'shortage read';
/** How much of its stake is there while rows may be missing: all of it or less. */
export const STAKE_READ = 'stake read';

/** In an order's history: which undelegations, none of them an order's, took what it ends short of. */
export const SHORTAGE_PROVED = statement<[orderId: string, detail: string]>(
  'reclaim_shortage_proved',
  `insert into delegation_events (delegation_id, kind, detail) values ($1, 'shortage proved', $2::jsonb)`,
);

/**
 * It waits: a shortage has to be read in later solid blocks too, or its wallet's transactions are refused. No failure, so nothing
 * backs off; the error stays in sight.
 */
export const LOOK_AGAIN = statement<[orderId: string, epoch: number, kind: string, reading: string | null]>(
  'reclaim_look_again',
  `with changed as (
           update delegations set claimed_until = null, next_attempt_at = clock_timestamp() + interval '3 seconds'
            where id = $1 and epoch = $2 returning id
         )
         insert into delegation_events (delegation_id, kind, detail)
         select id, $3::text, $4::jsonb from changed where $4::jsonb is not null`,
);

/** Due by block time, unclaimed, not backing off, and without an undelegation that could still land or has landed. */
const DUE = `d.state in ${sqlList(LENT_STATES)} and d.reclaim_due_at <= to_timestamp($1 / 1000.0)
  and not exists (select from ${transactionsOf('d')} t where t.purpose = 'reclaim' and t.state <> 'dead')`;

export const COUNT_DUE = statement<[headTimeMs: number], { due: bigint; at: string }>(
  'reclaim_count_due',
  `select count(*) as due, clock_timestamp()::text as at from delegations d where ${DUE}`,
);

/** For orders on which no instance works. Neither claims them nor has them wait: another instance may have the key. */
export const NOTE_MISSING_KEY = statement<[dueMs: number, walletId: string, reason: string]>(
  'reclaim_note_missing_key',
  `with noted as (
           update delegations set last_error = $3
            where id in (select d.id from delegations d
                          where ${DUE} and d.wallet_id = $2 and d.last_error is null and ${UNCLAIMED}
                            for update skip locked)
           returning id
         )
         insert into delegation_events (delegation_id, kind, detail)
         select id, 'reclaim failed', jsonb_build_object('reason', $3::text) from noted`,
);

/** An order that is due, with the comparison that has to come before its reclaim, if any. */
export interface DueOrder extends OrderRow {
  readonly compared_block: bigint | null;
  readonly compared_from: Date | null;
}

/**
 * SQL: rows may lack what was taken back of the order `d` since: the comparison of `i` (`database_identity`) has begun above its block,
 * and its pair is not compared.
 */
const IS_DOUBTED = `(i.compared_block >= coalesce(d.delegation_block, 0) and not exists (
  select from compared_pairs p
   where p.wallet_id = d.wallet_id and p.receiver = d.receiver and p.compared_block = i.compared_block and p.pending_tx_id is null))`;

/** SQL: the database is the one that was gone by so far. */
const MAY_SIGN = `${IS_THIS_DATABASE('i')} and ${IS_CONTINUOUS('i')}`;

/**
 * Where an order waits for its pair to be quiet, others of the pair wait for it, no longer than that lasts (closed-pairs.ts). $4: wallets
 * whose reclaims wait, for this sweep. $5: when the sweep began: what waits since then has had its turn in it, or the sweep need never end.
 * $6: wallets whose key is not here: what was missing of their orders' stake is looked at all the same, for it may be that nothing is left
 * to sign for. $7: block time of what is final. An order that is doubted is not looked at before a solid block can show it; then it
 * closes its pair as one whose stake was not found.
 */
export const CLAIM_DUE = statement<
  [
    headTimeMs: number,
    limit: number,
    leaseMs: number,
    waitingWalletIds: readonly string[],
    sweptSince: string,
    keylessWalletIds: readonly string[],
    finalMs: number,
  ],
  DueOrder
>(
  'reclaim_claim_due',
  `update delegations d
            set epoch = d.epoch + 1, claimed_until = clock_timestamp() + $3::integer * interval '1 millisecond', claim_ms = $3,
                last_error = case when ${IS_DOUBTED} and not d.stake_missing then '${STAKE_DOUBTED}' else d.last_error end,
                stake_doubted = case when ${IS_DOUBTED} and not d.stake_missing then true else d.stake_doubted end,
                stake_missing = d.stake_missing or coalesce(${IS_DOUBTED}, false)
           from database_identity i
          where d.id in (
            select d.id from delegations d cross join database_identity i
             where ${DUE}
               and ${MAY_SIGN} and not ${isPaused('reclaims')}
               and (i.compared_from <= to_timestamp($7::float8 / 1000) or not coalesce(${IS_DOUBTED}, false))
               and ${HAS_WAITED} and ${UNCLAIMED}
               and (d.next_attempt_at is null or d.next_attempt_at <= $5::timestamptz or d.next_attempt_at > clock_timestamp())
               and (d.stake_missing or not exists (
                     select from delegations s
                      where s.wallet_id = d.wallet_id and s.receiver = d.receiver and ${closesPair('s')}))
               and not (d.wallet_id = any($4::uuid[]))
               and (d.stake_missing and not d.stake_doubted
                    or not (d.wallet_id = any($6::uuid[])))
             order by d.reclaim_due_at limit $2 for update of d skip locked)
         returning ${ORDER_COLUMNS}, case when ${IS_DOUBTED} then i.compared_block end as compared_block,
                   case when ${IS_DOUBTED} then i.compared_from end as compared_from`,
);

/** $1: orders, $2: the epochs of their claims. */
export const GIVE_BACK = statement<[orderIds: readonly string[], epochs: readonly number[]]>(
  'reclaim_give_back',
  `update delegations d set claimed_until = null
           from unnest($1::uuid[], $2::integer[]) as o (id, epoch)
          where d.id = o.id and d.epoch = o.epoch`,
);

/** SQL: all of the order's stake was found by the comparison that was made for it ($5), so nothing is missing any more. */
const IS_COMPARED = '($5::bigint is not null and $3::bigint = 0)';

/**
 * Conditional on the claim: an instance that was stopped past its lease signs nothing. And on all that a reclaim may be signed by, to the
 * end of the transaction: the switch, the database itself, its final block ($4: one that it has had), and for an order that is doubted
 * the comparison that was made for it ($5).
 */
export const BEGIN_RECLAIM = statement<
  [orderId: string, epoch: number, shortageSun: bigint, rememberedNumber: number | null, comparedBlock: bigint | null]
>(
  'reclaim_begin',
  `with i as (
           select i.compared_block from database_identity i where ${MAY_SIGN} for share
         )
         update delegations d
            set state = case when d.state = 'delegated' then 'reclaiming' else d.state end, shortage_sun = $3::bigint,
                last_error = case when ${IS_COMPARED} then null else d.last_error end,
                stake_missing = d.stake_missing and not ${IS_COMPARED}, stake_doubted = d.stake_doubted and not ${IS_COMPARED}
           from i
          where d.id = $1 and d.epoch = $2 and d.state in ${sqlList(LENT_STATES)} and ${staysOn('reclaims')}
            and (select coalesce(final_number, -1) from chain_identity) >= $4::bigint
            and (i.compared_block = $5::bigint or not coalesce(${IS_DOUBTED}, false))`,
);

/**
 * All that our orders have lent between the two is there, as far as the nodes show. Once the reclaim that was signed by it is final, none
 * of them is doubted any more in the comparison that began at this block: bytes that die may have been made in a view that was behind.
 */
export const PAIR_VERIFIED = statement<[walletId: string, receiver: string, comparedBlock: bigint, txId: string]>(
  'reclaim_pair_verified',
  `insert into compared_pairs as known (wallet_id, receiver, compared_block, pending_tx_id) values ($1, $2, $3, $4)
         on conflict (wallet_id, receiver) do update
           set compared_block = excluded.compared_block, pending_tx_id = excluded.pending_tx_id`,
);
export const PAIR_COMPARED = statement<[walletId: string, receiver: string, txId: string]>(
  'reclaim_pair_compared',
  `update compared_pairs set pending_tx_id = null where wallet_id = $1 and receiver = $2 and pending_tx_id = $3`,
);

/**
 * Where the stake of one order was not there, that of others of its pair mostly is not either. Those that are due, too, are looked at
 * before they sign, and not after a refusal and the end of their transaction: a minute and a half each, one after the other.
 */
export const SUSPECT_OTHERS = statement<[headTimeMs: number, orderId: string]>(
  'reclaim_suspect_others',
  `update delegations set last_error = '${STAKE_MISSING} (as that of another order was not)', stake_missing = true
          where id in (
            select d.id from delegations d join delegations short on short.id = $2
             where d.wallet_id = short.wallet_id and d.receiver = short.receiver and d.id <> short.id and ${DUE}
               and not d.stake_missing
               for update of d skip locked)`,
);

/** The transaction $2, unless it was decided meanwhile: a late word on it must not be taken for one on its successor. */
const IS_OPEN_RECLAIM = `tx_id = $2 and subject_id = $1 and purpose = 'reclaim' and ${IS_OPEN}`;

/** These bytes are not sent again: once others have lent there, they could take what is theirs. */
export const MISSING_DELEGATION = statement<[orderId: string, txId: string, error: string]>(
  'reclaim_missing_delegation',
  `with refused as (
           update chain_transactions set resend = false where ${IS_OPEN_RECLAIM} returning tx_id
         )
         update delegations set last_error = $3, stake_missing = true, stake_doubted = false
          where id = $1 and exists (select from refused)`,
);

export const RECLAIM_REFUSED = statement<[orderId: string, txId: string, error: string]>(
  'reclaim_refused',
  `update delegations set ${noted('$3::text')}
          where id = $1 and exists (select from chain_transactions where ${IS_OPEN_RECLAIM})`,
);

/**
 * What else is under way between the wallet and the receiver, what our other orders have lent there, and up to which block that is. Each by
 * an index of the two: a receiver may have had millions of orders.
 */
export const READ_STAKE_BETWEEN = statement<[walletId: string, receiver: string, exceptOrderId: string], StakeBetween>(
  'reclaim_pair',
  `select
           (select count(*) from chain_transactions t
             where t.wallet_id = $1 and t.receiver = $2 and t.purpose in ('delegation', 'reclaim')
               and t.${IS_OPEN}) as in_flight,
           exists (select from chain_transactions t
                    where t.wallet_id = $1 and t.receiver = $2 and t.purpose in ('delegation', 'reclaim')
                      and t.${IS_OPEN} and t.created_at < clock_timestamp() - interval '10 minutes') as is_stuck,
           (select coalesce(sum(d.stake_sun), 0)::bigint from delegations d
             where d.wallet_id = $1 and d.receiver = $2 and d.id <> $3
               and d.state in ${sqlList(LENT_STATES)}) as lent_by_others_sun,
           coalesce((select t.block_number from chain_transactions t
                      where t.wallet_id = $1 and t.receiver = $2 and t.purpose in ('delegation', 'reclaim')
                        and t.state = 'final' and t.block_number is not null
                      order by t.block_number desc limit 1), 0) as settled_block`,
);

/** One capped reclaim of a pair at a time, over all instances. */
export const LOCK_STAKE_BETWEEN = statement<[walletId: string, receiver: string], object>(
  'reclaim_lock_pair',
  `select pg_advisory_xact_lock(hashtextextended('reclaim ' || $1::text || ' ' || $2::text, 0))`,
);
