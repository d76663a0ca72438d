import { IS_RESTORED } from '../database/identity/database-identity.sql';
import { statement } from '../database/statement';
import { OPERATION_KINDS, type OperationKind, type OperationRow, type ResourceName } from './stake-operation';

const COLUMNS = `o.id, o.wallet_id, w.name as wallet, o.kind, o.resource, o.amount_sun, o.votes, o.occasion, o.requested_by, o.state,
  o.tx_id, o.error, o.block_number, o.final_at, o.is_paid,
  o.restake_energy_sun, o.restake_bandwidth_sun, o.created_at`;

/** As `COLUMNS` has them, of the operation alone. */
const FINAL_COLUMNS = `f.id, f.wallet_id, f.kind, f.resource, f.amount_sun, f.votes, f.occasion, f.requested_by, f.state, f.tx_id, f.error,
  f.block_number, f.final_at, f.is_paid, f.restake_energy_sun, f.restake_bandwidth_sun, f.created_at`;

/** Bytes that are made so late were wanted by what was so then, and is not now. */
const LATEST = `interval '10 minutes'`;

/** A plan may be too old; or of a time to come, for the clock has jumped back since. */
const isYoung = (createdAt: string) =>
  `${createdAt} between clock_timestamp() - ${LATEST} and clock_timestamp() + interval '1 minute'`;
/** A claim lasts half a minute: one that ends later was made while the database's clock was ahead. */
const isUnclaimed = (until: string) =>
  `(${until} is null or ${until} not between clock_timestamp() and clock_timestamp() + interval '1 minute')`;

/** Beside a user of the panel stands the address that the audit log has, too. $9: for so long the process that plans it is left to sign it. Nothing is written while another one of its kind is open, or for its occasion. */
export const PLAN = statement<
  [
    id: string,
    walletId: string,
    kind: OperationKind,
    resource: ResourceName | null,
    amountSun: bigint | null,
    votes: string | null,
    occasion: string | null,
    requestedBy: string,
    leaseMs: number,
    actorId: string | null,
  ],
  { id: string }
>(
  'stake_operation_plan',
  `insert into stake_operations (id, wallet_id, kind, resource, amount_sun, votes, occasion, requested_by, claimed_until)
   select $1::uuid, $2::uuid, $3::text, $4::text, $5::bigint, $6::jsonb, $7::text,
          coalesce((select u.email || ' (' || $8::text || ')' from users u where u.id = $10::uuid), $8::text), clock_timestamp() + $9::integer * interval '1 millisecond'
    where not ${IS_RESTORED}
   on conflict do nothing returning id`,
);

export const OPERATION = statement<[id: string], OperationRow>(
  'stake_operation',
  `select ${COLUMNS} from stake_operations o join pool_wallets w on w.id = o.wallet_id where o.id = $1`,
);

export const LIST_OPERATIONS = statement<[name: string | null, limit: number | null], OperationRow>(
  'stake_operation_list',
  `select ${COLUMNS} from stake_operations o join pool_wallets w on w.id = o.wallet_id
    where $1::text is null or w.name = $1 order by o.created_at desc, o.id desc limit $2`,
);

/** The newest of a wallet, of each kind that is final: by its block, for the database's clock may have jumped back. */
export const LAST_FINAL = statement<[walletId: string], OperationRow>(
  'stake_operation_last_final',
  `select ${COLUMNS}
     from unnest(array[${OPERATION_KINDS.map((kind) => `'${kind}'`).join(', ')}]) k (kind)
          cross join lateral (select ${FINAL_COLUMNS} from stake_operations f where f.wallet_id = $1 and f.kind = k.kind and f.state = 'final'
                               order by f.block_number desc limit 1) o
          join pool_wallets w on w.id = o.wallet_id`,
);

export const IS_TRIED = statement<[walletId: string, kind: OperationKind, occasion: string], { found: number }>(
  'stake_operation_is_tried',
  `select 1 as found from stake_operations
    where wallet_id = $1 and kind = $2
      and (occasion = $3 or state in ('planned', 'signed', 'sent', 'refused', 'included')) limit 1`,
);

/** The newest vote that was signed, where it came to nothing. */
export const LOST_VOTE = statement<[walletId: string], { error: string | null }>(
  'stake_operation_lost_vote',
  `select v.error
     from (select state, error from stake_operations where wallet_id = $1 and kind = 'vote' and tx_id is not null
            order by created_at desc, id desc limit 1) v
    where v.state in ('refused', 'failed')`,
);

/** What a process has planned and not signed. */
export const CLAIM_PLANNED = statement<[leaseMs: number], OperationRow>(
  'stake_operation_claim_planned',
  `update stake_operations o set claimed_until = clock_timestamp() + $1::integer * interval '1 millisecond'
     from pool_wallets w
    where w.id = o.wallet_id and not ${IS_RESTORED}
      and o.id in (select p.id from stake_operations p
                    where p.state = 'planned' and ${isUnclaimed('p.claimed_until')} and ${isYoung('p.created_at')}
                    order by p.created_at limit 10 for update skip locked)
   returning ${COLUMNS}`,
);

export const RELEASE = statement<[id: string]>(
  'stake_operation_release',
  `update stake_operations set claimed_until = null where id = $1 and state = 'planned'`,
);

/** No bytes of it exist, so it was not tried: its occasion is free for a later look, once an instance has the key. */
export const FAIL_LATE = statement<[], { id: string }>(
  'stake_operation_fail_late',
  `update stake_operations set state = 'failed', error = coalesce(error, 'no instance has signed it within ten minutes'), occasion = null
    where state = 'planned' and not (${isYoung('created_at')}) returning id`,
);

/** What was wanted as of a backup may have been done since. */
export const FAIL_RESTORED = statement<[reason: string], { id: string }>(
  'stake_operation_fail_restored',
  `update stake_operations set state = 'failed', error = $1, claimed_until = null where state = 'planned' returning id`,
);

export const FAIL_WHERE_RESTORED = statement<[reason: string], { id: string }>(
  'stake_operation_fail_where_restored',
  `update stake_operations set state = 'failed', error = $1, claimed_until = null
    where state = 'planned' and ${IS_RESTORED} returning id`,
);

/**
 * In the transaction that saves its bytes: of two processes that have signed it, one saves; and only while the wallet is there and its care
 * still has the key that has signed. A plan that is too old is not sent, whichever process holds it.
 */
export const SIGNED = statement<[id: string, txId: string, keySource: string, permissionId: number]>(
  'stake_operation_signed',
  `update stake_operations o set state = 'signed', tx_id = $2, claimed_until = null
     from stake_care c join pool_wallets w on w.id = c.wallet_id
    where o.id = $1 and o.state = 'planned' and ${isYoung('o.created_at')} and not ${IS_RESTORED}
      and c.wallet_id = o.wallet_id and c.key_source = $3 and c.permission_id = $4 and w.removed_at is null`,
);

export const FAIL_PLANNED = statement<[id: string, error: string]>(
  'stake_operation_fail_planned',
  `update stake_operations set state = 'failed', error = $2, claimed_until = null where id = $1 and state = 'planned'`,
);

export const NOTE_ERROR = statement<[id: string, error: string]>(
  'stake_operation_note_error',
  `update stake_operations set error = $2 where id = $1 and state = 'planned'`,
);

export const SENT = statement<[id: string]>(
  'stake_operation_sent',
  `update stake_operations set state = 'sent' where id = $1 and state = 'signed'`,
);

/** The follower sends its bytes no more. */
export const REFUSED = statement<[id: string, error: string]>(
  'stake_operation_refused',
  `with refused as (
     update stake_operations set state = 'refused', error = $2 where id = $1 and state = 'signed' returning id
   )
   update chain_transactions t set resend = false from refused where t.subject_id = refused.id`,
);

export const LOCK_FREE = statement<[ids: readonly string[]], { id: string }>(
  'stake_operation_lock_free',
  `select id from stake_operations where id = any($1::uuid[]) order by id for update skip locked`,
);

export const INCLUDED = statement<[ids: readonly string[]]>(
  'stake_operation_included',
  `update stake_operations set state = 'included', error = null
    where id = any($1::uuid[]) and state in ('signed', 'sent', 'refused')`,
);

/** A block has had it, so no node's refusal of before counts any more: it is sent again until it expires. */
export const DROPPED = statement<[id: string]>(
  'stake_operation_dropped',
  `with dropped as (
     update stake_operations set state = 'sent' where id = $1 and state = 'included' returning id
   )
   update chain_transactions t set resend = true from dropped where t.subject_id = dropped.id`,
);

/** Whatever brings TRX is paid once it is known how much. */
export const FINAL = statement<[id: string, block: bigint, blockMs: number]>(
  'stake_operation_final',
  `update stake_operations
      set state = 'final', error = null, block_number = $2, final_at = to_timestamp($3 / 1000.0),
          is_paid = kind not in ('claim', 'withdraw', 'unfreeze', 'cancel-unfreeze')
    where id = $1 and state in ('signed', 'sent', 'refused', 'included')`,
);

export const DEAD = statement<[id: string]>(
  'stake_operation_dead',
  `update stake_operations set state = 'failed', error = coalesce(error, 'it was in no block by its expiration')
    where id = $1 and state in ('signed', 'sent', 'refused', 'included')`,
);

/** By chance: what no node has any more keeps nothing newer from being asked. */
export const UNPAID = statement<[], OperationRow>(
  'stake_operation_unpaid',
  `select ${COLUMNS} from stake_operations o join pool_wallets w on w.id = o.wallet_id
    where o.state = 'final' and not o.is_paid order by random() limit 20`,
);

/** What no node can say a day later stays unknown, and is asked no more. */
export const GIVE_UP_UNPAID = statement<[beforeMs: number], { id: string; wallet_id: string }>(
  'stake_operation_give_up_unpaid',
  `update stake_operations set is_paid = true, error = 'no node says what it has brought',
          amount_sun = case when kind in ('unfreeze', 'cancel-unfreeze') then amount_sun end
    where state = 'final' and not is_paid and final_at < to_timestamp($1::bigint / 1000.0) returning id, wallet_id`,
);

/** A claim counts on the UTC day of its block. An unfreezing, or the end of all of them, pays out what is ripe beside what it was asked for. */
export const PAID = statement<[id: string, receivedSun: bigint]>(
  'stake_operation_paid',
  `with paid as (
     update stake_operations
        set is_paid = true, amount_sun = case when kind in ('claim', 'withdraw') then $2::bigint else amount_sun end,
            paid_out_sun = case when kind in ('unfreeze', 'cancel-unfreeze') then $2::bigint end
      where id = $1 and state = 'final' and not is_paid
     returning wallet_id, kind, final_at
   )
   insert into stake_rewards as r (wallet_id, day, claimed_sun)
   select wallet_id, (final_at at time zone 'utc')::date, $2::bigint from paid where kind = 'claim' and $2::bigint > 0
   on conflict (wallet_id, day) do update set claimed_sun = r.claimed_sun + excluded.claimed_sun`,
);

/**
 * What withdrawals have brought since the wallet's last restake, and of the thirty days before the reading in any case, with what unfreezings
 * and their ends have paid out: what an operator has unfrozen is for something else, and a claim comes every day. Null where no node has said
 * of one what it has brought.
 */
export const WITHDRAWN = statement<[walletId: string, atMs: number], { sun: bigint | null }>(
  'stake_operation_withdrawn',
  `select case when bool_or(p.sun is null) then null else coalesce(sum(p.sun), 0)::bigint end as sun
     from stake_operations o cross join lateral (select case when o.kind = 'withdraw' then o.amount_sun else o.paid_out_sun end as sun) p
    where wallet_id = $1 and kind in ('withdraw', 'unfreeze', 'cancel-unfreeze') and state in ('signed', 'sent', 'refused', 'included', 'final')
      and (final_at is null
           or final_at > least(to_timestamp($2::bigint / 1000.0) - interval '30 days',
                               coalesce((select max(f.final_at) from stake_operations f
                                          where f.wallet_id = $1 and f.kind = 'freeze' and f.state = 'final' and f.occasion is not null),
                                        '-infinity')))`,
);

/** The first decision stays. */
export const DECIDE_RESTAKE = statement<[id: string, energySun: bigint, bandwidthSun: bigint]>(
  'stake_operation_decide_restake',
  `update stake_operations set restake_energy_sun = $2, restake_bandwidth_sun = $3 where id = $1 and restake_energy_sun is null`,
);

export const CLAIMED = statement<[], { wallet_id: string; total_sun: bigint }>(
  'stake_rewards_claimed',
  `select wallet_id, sum(claimed_sun)::bigint as total_sun from stake_rewards group by wallet_id`,
);

/** By the wallet's name, for a counter: with those that have care and no claim yet, and those that are removed. */
export const CLAIMED_BY_NAME = statement<[], { wallet: string; sun: bigint }>(
  'stake_rewards_claimed_by_name',
  `select w.name as wallet, coalesce(sum(r.claimed_sun), 0)::bigint as sun
     from pool_wallets w left join stake_rewards r on r.wallet_id = w.id
    where r.wallet_id is not null or exists (select from stake_care c where c.wallet_id = w.id)
    group by w.name`,
);

/**
 * What claims have brought of the thirty days before the wallet's last one, and how long they took, by block time from the claim before each
 * to itself. The first claim has none before it, and of some it is not known what they have brought.
 */
export const CLAIM_TIMES = statement<[], { wallet_id: string; sun: bigint; elapsed_ms: bigint }>(
  'stake_claim_times',
  `select wallet_id, sum(amount_sun)::bigint as sun, (sum(extract(epoch from final_at - before)) * 1000)::bigint as elapsed_ms
     from (select wallet_id, is_paid, amount_sun, final_at, lag(final_at) over claims as before,
                  max(final_at) over (partition by wallet_id) as newest
             from stake_operations where kind = 'claim' and state = 'final'
           window claims as (partition by wallet_id order by final_at, id)) c
    where before is not null and is_paid and amount_sun is not null and final_at > newest - interval '30 days'
    group by wallet_id`,
);

/** The newest day first. */
export const REWARDS = statement<[walletId: string, days: number], { day: string; claimed_sun: bigint }>(
  'stake_rewards_by_day',
  `select day::text as day, claimed_sun from stake_rewards where wallet_id = $1 order by day desc limit $2`,
);
