import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';
import type { Asset, DepositState, WaitingFor } from './deposit-states';
import type { DepositView } from './deposit-view';

/** Confirmations are counted where the head is known. */
export type DepositRow = Omit<DepositView, 'confirmations'>;

const COLUMNS = `d.id, d.user_id, u.email as user, d.txid, d.index, d.address, d.asset, d.amount,
  case when d.state = 'credited' then d.credit_sun end as credited_sun, d.rate_sun, d.state, d.waits_for, d.note, d.block_number,
  ${utcMicroseconds('d.seen_at')} as seen_at, ${utcMicroseconds('d.credited_at')} as credited_at`;
const FROM = 'from deposits d join users u on u.id = d.user_id';

type ListValues = [userId: string | null, state: DepositState | null, before: string | null, limit: number | null];

/** One customer's, newest first. */
export const LIST_OF_USER = statement<ListValues, DepositRow>(
  'deposits_of_user',
  `select ${COLUMNS} ${FROM}
    where d.user_id = $1 and ($2::text is null or d.state = $2) and ($3::uuid is null or d.id < $3)
    order by d.id desc limit $4`,
);
export const LIST = statement<[state: DepositState | null, before: string | null, limit: number | null], DepositRow>(
  'deposits_list',
  `select ${COLUMNS} ${FROM} where ($1::text is null or d.state = $1) and ($2::uuid is null or d.id < $2) order by d.id desc limit $3`,
);
export const FIND = statement<[ids: readonly string[]], DepositRow>(
  'deposits_find',
  `select ${COLUMNS} ${FROM} where d.id = any($1::uuid[]) order by d.id`,
);

export interface WaitingDeposits {
  readonly count: number;
  /** Null: none waits. */
  readonly newestAt: Date | null;
}
export const WAITING = statement<[], WaitingDeposits>(
  'deposits_waiting',
  `select count(*)::int as count, max(seen_at) as "newestAt" from deposits where state = 'waiting'`,
);

/** A transfer to an address of ours. */
export interface NewDeposit {
  readonly id: string;
  readonly user_id: string;
  readonly address: string;
  readonly asset: Asset;
  /** Digits: JSON has no bigint. */
  readonly amount: string;
  readonly txid: string;
  readonly index: number;
}

const NEW = `json_to_recordset($1::json) as n (id uuid, user_id uuid, address text, asset text, amount bigint, txid text, index int,
  state text, rate_sun bigint, credit_sun bigint, waits_for text)`;

type BlockValues = [deposits: string, number: number, id: string, timeMs: number];

/** In a head block. One that is known already moves there, unless its block is final. Returns those that were not known. */
export const SEE = statement<BlockValues, { id: string }>(
  'deposits_see',
  `with moved as (
         update deposits d set state = 'seen', block_number = $2, block_id = $3, block_at = to_timestamp($4::float8 / 1000)
           from ${NEW}
          where d.txid = n.txid and d.index = n.index and not d.is_final
       )
       insert into deposits (id, user_id, address, asset, amount, txid, index, state, block_number, block_id, block_at)
       select n.id, n.user_id, n.address, n.asset, n.amount, n.txid, n.index, 'seen', $2, $3, to_timestamp($4::float8 / 1000) from ${NEW}
       on conflict (txid, index) do nothing
       returning id`,
);

/** In a final block, with what was decided of it; returns those of which it was not known that they are final. */
export const SETTLE = statement<BlockValues, { id: string; state: DepositState }>(
  'deposits_settle',
  `insert into deposits as d (id, user_id, address, asset, amount, txid, index, state, is_final, block_number, block_id, block_at, rate_sun,
                              credit_sun, waits_for)
       select n.id, n.user_id, n.address, n.asset, n.amount, n.txid, n.index, n.state, true, $2, $3, to_timestamp($4::float8 / 1000),
              n.rate_sun, n.credit_sun, n.waits_for
         from ${NEW}
       on conflict (txid, index) do update
          set state = excluded.state, is_final = true, block_number = excluded.block_number, block_id = excluded.block_id,
              block_at = excluded.block_at, rate_sun = excluded.rate_sun, credit_sun = excluded.credit_sun, waits_for = excluded.waits_for
        where not d.is_final
       returning id, state`,
);

/** A reading from before these deposits explains less than it should: the next one decides. */
export const READ_AGAIN = statement<[addresses: readonly string[]]>(
  'deposit_addresses_read_again',
  `update deposit_addresses set read_at = null, unexplained_sun = 0, unexplained_usdt = 0, unexplained_since = null
    where address = any($1)`,
);

/** Seen in this very block, whose transactions nothing proves: an operator decides, and no later block can drop it. */
export const LEAVE_TO_OPERATOR = statement<[blockId: string, note: string], { id: string }>(
  'deposits_leave_to_operator',
  `update deposits set state = 'waiting', waits_for = 'operator', is_final = true, note = $2
    where state = 'seen' and not is_final and block_id = $1 returning id`,
);

/** Seen in a block up to this final one, and in none of the final ones: a fork has dropped the block. */
export const DROP = statement<[number: number]>(
  'deposits_drop',
  `update deposits set state = 'dropped' where state = 'seen' and not is_final and block_number <= $1`,
);

export interface DueDeposit {
  readonly id: string;
  readonly user_id: string;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly txid: string;
  readonly index: number;
  readonly credit_sun: bigint;
}

/** Another instance that credits one has its row locked until then. */
export const CLAIM_DUE = statement<[but: readonly string[]], DueDeposit>(
  'deposit_claim_due',
  `select id, user_id, asset, amount, txid, index, credit_sun from deposits
    where state = 'seen' and is_final and id <> all($1::uuid[])
    order by block_number, id limit 1 for update skip locked`,
);
export const CREDITED = statement<[id: string]>(
  'deposit_credited',
  `update deposits set state = 'credited', credited_at = clock_timestamp(), waits_for = null where id = $1 and state <> 'credited'`,
);
export const WAIT = statement<[id: string, waitsFor: WaitingFor, note: string]>(
  'deposit_wait',
  `update deposits set state = 'waiting', waits_for = $2, note = $3 where id = $1 and state = 'seen' and is_final`,
);
