import { IS_RESTORED } from '../../database/identity/database-identity.sql';
import { statement } from '../../database/statement';
import type { Asset } from '../deposit-states';
import { IS_USED } from '../left-out-addresses';
import { IS_OPEN_SWEEP, type SweepState } from './sweep-states';

export interface SweepView {
  readonly id: string;
  readonly address: string;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly state: SweepState;
  readonly tx_id: string;
  readonly error: string | null;
}

export interface PlannedSweep {
  readonly id: string;
  readonly address: string;
  readonly asset: Asset;
  /** Digits: JSON has no bigint. */
  readonly amount: string;
  readonly tx_id: string;
  readonly raw_data_hex: string;
  readonly bytes: number;
  readonly expiration_ms: number;
  readonly ref_block_number: number;
}

export interface SignedSweep {
  readonly id: string;
  readonly address: string;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly bytes: number;
  readonly tx_id: string;
  readonly raw_data_hex: string;
  readonly signature: string;
  readonly energy_order_id: string | null;
  readonly expiration_ms: bigint;
  readonly ref_block_number: bigint;
}

export interface SweptAddress {
  readonly address: string;
  readonly number: number;
}

/** Those of an account that may hold something, without an open sweep. */
export const WITHOUT_SWEEP = statement<[account: string, asset: Asset], SweptAddress>(
  'deposit_sweep_addresses',
  `select a.address, a.number from deposit_addresses a
    where a.account = $1 and ${IS_USED('a')}
      and not exists (select from deposit_sweeps s where s.address = a.address and s.asset = $2 and s.${IS_OPEN_SWEEP})
    order by a.number`,
);

export const LEFT_OUT = statement<[account: string, asset: Asset], { under_way: number; other_accounts: number }>(
  'deposit_sweep_left_out',
  `select count(*) filter (where a.account = $1)::int as under_way, count(*) filter (where a.account <> $1)::int as other_accounts
     from deposit_addresses a
    where ${IS_USED('a')}
      and (a.account <> $1
        or exists (select from deposit_sweeps s where s.address = a.address and s.asset = $2 and s.${IS_OPEN_SWEEP}))`,
);

/** Nothing where another plan was faster, nor in a restored database: what the rows that it has lost say of an address may still land. */
export const PLAN = statement<[sweeps: string], { id: string }>(
  'deposit_sweep_plan',
  `insert into deposit_sweeps (id, address, asset, amount, tx_id, raw_data, bytes, expiration_ms, ref_block_number)
   select id, address, asset, amount, tx_id, decode(raw_data_hex, 'hex'), bytes, expiration_ms, ref_block_number
     from json_to_recordset($1::json)
       as s (id uuid, address text, asset text, amount bigint, tx_id text, raw_data_hex text, bytes int, expiration_ms bigint,
             ref_block_number bigint)
    where not ${IS_RESTORED}
   on conflict do nothing returning id`,
);

export const PLANNED_AMONG = statement<
  [ids: readonly string[]],
  { id: string; address: string; asset: Asset; amount: bigint; state: SweepState; tx_id: string }
>(
  'deposit_sweep_planned_among',
  `select id, address, asset, amount, state, tx_id from deposit_sweeps where id = any($1::uuid[]) order by id for update`,
);

/** Takes JSON. Those that were signed before stay as they are. */
export const SIGNED = statement<[signatures: string]>(
  'deposit_sweep_signed',
  `update deposit_sweeps s set state = 'signed', signature = decode(o.signature, 'hex')
     from json_to_recordset($1::json) as o (id uuid, signature text)
    where s.id = o.id and s.state = 'planned'`,
);

/**
 * The longest wait is ten minutes: one that ends later was begun while the database's clock was ahead. Both sweeps of an address use its free
 * bandwidth: the one of TRX goes first, and the other one follows once it is in a block, or each would count on the same bytes.
 */
const IS_DUE = `d.state = 'signed' and d.expiration_ms > $1 and not ${IS_RESTORED}
        and (d.waits_until is null
             or d.waits_until not between clock_timestamp() and clock_timestamp() + interval '11 minutes')
        and not exists (select from deposit_sweeps o
                         where o.address = d.address and o.asset <> d.asset
                           and (o.state = 'sent' or o.state = 'signed' and o.asset = 'TRX'))`;
export const FIND_DUE = statement<[headTimeMs: number, most: number], { id: string }>(
  'deposit_sweep_find_due',
  `select d.id from deposit_sweeps d where ${IS_DUE} order by d.waits_until nulls first, d.id limit $2`,
);
/** What a process claims, it looks at for a minute at most; if it ends meanwhile, another one goes on then. */
export const CLAIM_DUE = statement<[headTimeMs: number, ids: readonly string[]], SignedSweep>(
  'deposit_sweep_claim',
  `update deposit_sweeps s set waits_until = clock_timestamp() + interval '1 minute'
    where s.id in (select d.id from deposit_sweeps d where d.id = any($2::uuid[]) and ${IS_DUE} order by d.id for update skip locked)
   returning s.id, s.address, s.asset, s.amount, s.bytes, s.tx_id, encode(s.raw_data, 'hex') as raw_data_hex,
             encode(s.signature, 'hex') as signature, s.energy_order_id, s.expiration_ms, s.ref_block_number`,
);

/** It stays signed, and is looked at again after so long. */
export const DEFER = statement<[id: string, error: string, waitMs: number]>(
  'deposit_sweep_defer',
  `update deposit_sweeps set error = $2, waits_until = clock_timestamp() + $3::int * interval '1 millisecond'
    where id = $1 and state = 'signed'`,
);

/** In the transaction that saves its bytes: of two processes that have claimed it, one saves. */
export const SENT = statement<[id: string]>(
  'deposit_sweep_sent',
  `update deposit_sweeps set state = 'sent', error = null, waits_until = null
    where id = $1 and state = 'signed' and not ${IS_RESTORED}`,
);

/** The follower sends its bytes no more. */
export const REFUSED = statement<[id: string, error: string]>(
  'deposit_sweep_refused',
  `with refused as (
     update deposit_sweeps set state = 'refused', error = $2 where id = $1 and state = 'sent' returning id
   )
   update chain_transactions t set resend = false from refused where t.subject_id = refused.id`,
);

export const EXPIRE_UNSENT = statement<[finalTimeMs: number]>(
  'deposit_sweep_expire_unsent',
  `update deposit_sweeps
      set state = 'expired', waits_until = null,
          error = case when state = 'planned' then 'it was not signed and sent before it expired'
                       else coalesce('it was not sent before it expired: ' || error, 'it was not sent before it expired') end
    where state in ('planned', 'signed') and expiration_ms <= $1`,
);

export const LOCK_FREE = statement<[ids: readonly string[]], { id: string }>(
  'deposit_sweep_lock_free',
  `select id from deposit_sweeps where id = any($1::uuid[]) order by id for update skip locked`,
);
export const INCLUDED = statement<[ids: readonly string[]]>(
  'deposit_sweep_included',
  `update deposit_sweeps set state = 'included', error = null where id = any($1::uuid[]) and state in ('sent', 'refused')`,
);
/** A block has had it, so no node's refusal of before counts any more: it is sent again until it expires. */
export const DROPPED = statement<[id: string]>(
  'deposit_sweep_dropped',
  `with dropped as (
     update deposit_sweeps set state = 'sent' where id = $1 and state = 'included' returning id
   )
   update chain_transactions t set resend = true from dropped where t.subject_id = dropped.id`,
);
/** A call of a contract: its block is final, and its result has to be proved. */
export const LANDED = statement<[id: string, block: bigint]>(
  'deposit_sweep_landed',
  `update deposit_sweeps set state = 'included', error = null, block_number = $2
    where id = $1 and state in ('sent', 'refused', 'included')`,
);
/** Those that were looked at last come last: of some, nodes may show nothing for long. */
export const CLAIM_LANDED = statement<[], { id: string; tx_id: string; address: string }>(
  'deposit_sweep_claim_landed',
  `update deposit_sweeps s set waits_until = clock_timestamp()
    where s.id in (select d.id from deposit_sweeps d where d.state = 'included' and d.block_number is not null
                    order by d.waits_until nulls first, d.block_number limit 40 for update skip locked)
   returning s.id, s.tx_id, s.address`,
);
export const JUDGED = statement<[id: string, state: SweepState, error: string | null]>(
  'deposit_sweep_judged',
  `update deposit_sweeps set state = $2, error = $3, waits_until = null
    where id = $1 and state = 'included' and block_number is not null`,
);
export const HAS_ENERGY = statement<[id: string, orderId: string]>(
  'deposit_sweep_has_energy',
  `update deposit_sweeps set energy_order_id = $2 where id = $1`,
);
/** They need no energy any more. */
export const WITH_NEEDLESS_ENERGY = statement<[], { id: string; order_id: string }>(
  'deposit_sweep_with_needless_energy',
  `select id, energy_order_id as order_id from deposit_sweeps
    where energy_order_id is not null and not ${IS_OPEN_SWEEP} order by energy_order_id limit 40`,
);
export const ENERGY_ENDED = statement<[id: string]>(
  'deposit_sweep_energy_ended',
  `update deposit_sweeps set energy_order_id = null where id = $1`,
);
export const FINAL = statement<[id: string, block: bigint]>(
  'deposit_sweep_final',
  `update deposit_sweeps set state = 'final', error = null, block_number = $2
    where id = $1 and state in ('sent', 'refused', 'included')`,
);
export const DEAD = statement<[id: string]>(
  'deposit_sweep_dead',
  `update deposit_sweeps set state = 'expired', error = coalesce(error, 'it was in no block by its expiration')
    where id = $1 and state in ('sent', 'refused', 'included')`,
);

/** The newest plan first. */
export const LIST = statement<[limit: number | null], SweepView>(
  'deposit_sweep_list',
  `select id, address, asset, amount, state, tx_id, error from deposit_sweeps order by created_at desc, id desc limit $1`,
);

export const STATES_AMONG = statement<[ids: readonly string[]], { state: SweepState; sweeps: number }>(
  'deposit_sweep_states_among',
  `select state, count(*)::int as sweeps from deposit_sweeps where id = any($1::uuid[]) group by state`,
);
