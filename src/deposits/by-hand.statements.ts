import { statement } from '../database/statement';
import type { Asset, DepositState } from './deposit-states';
import { IS_BOOKED } from './left-out-addresses';

interface LockedDeposit {
  readonly user_id: string;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly state: DepositState;
  readonly txid: string | null;
  readonly index: number | null;
}

export const LOCK = statement<[id: string], LockedDeposit>(
  'deposit_lock',
  'select user_id, asset, amount, state, txid, index from deposits where id = $1 for update',
);
export const WAITING_FOR_RATE = statement<[], { id: string }>(
  'deposits_waiting_for_rate',
  `select id from deposits where state = 'waiting' and waits_for = 'rate' order by id`,
);
export const CREDIT_BY_HAND = statement<[id: string, creditSun: bigint, rateSun: bigint | null, note: string | null]>(
  'deposit_credit_by_hand',
  `update deposits set state = 'credited', credited_at = clock_timestamp(), waits_for = null, credit_sun = $2, rate_sun = $3,
          note = coalesce($4, note)
    where id = $1`,
);

export const LEAVE_TO_OPERATOR = statement<[id: string, why: string]>(
  'deposit_leave_to_operator',
  `update deposits set waits_for = 'operator', note = $2 where id = $1 and state = 'waiting' and waits_for = 'rate'`,
);

/** A reading of what the address holds waits for it as well. */
export const LOCK_ADDRESS = statement<[address: string], { user_id: string | null }>(
  'deposit_address_lock',
  'select user_id from deposit_addresses where address = $1 for update',
);
/**
 * After `LOCK_ADDRESS`, and no part of it: what others have credited meanwhile is among the deposits. A proved payment to an address of no known
 * customer counts although nothing is held any more: a restore may have lost the sweep too.
 */
export const UNEXPLAINED = statement<[address: string, asset: Asset], { units: bigint }>(
  'deposit_address_unexplained',
  `select greatest(case when $2 = 'TRX' then a.unexplained_sun else a.unexplained_usdt end,
                   coalesce((select sum(p.amount) from left_out_payments p
                              where p.address = a.address and p.asset = $2 and not ${IS_BOOKED('p')}), 0)
                   - coalesce((select sum(d.amount) from deposits d where d.address = a.address and d.asset = $2 and d.state <> 'dropped'), 0)
          )::bigint as units
     from deposit_addresses a where a.address = $1`,
);
export const INSERT_UNEXPLAINED = statement<
  [
    id: string,
    userId: string,
    address: string,
    asset: Asset,
    amount: bigint,
    rateSun: bigint | null,
    creditSun: bigint,
    note: string,
  ]
>(
  'deposit_insert_unexplained',
  `insert into deposits (id, user_id, address, asset, amount, state, is_final, rate_sun, credit_sun, note, credited_at)
   values ($1, $2, $3, $4, $5, 'credited', true, $6, $7, $8, clock_timestamp())`,
);
export const EXPLAIN = statement<[address: string, sun: bigint, usdt: bigint]>(
  'deposit_address_explain',
  `update deposit_addresses
      set unexplained_sun = greatest(0, unexplained_sun - $2), unexplained_usdt = greatest(0, unexplained_usdt - $3),
          unexplained_since = case when unexplained_sun > $2 or unexplained_usdt > $3 then unexplained_since end
    where address = $1`,
);
