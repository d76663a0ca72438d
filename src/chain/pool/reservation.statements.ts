import type { Statement } from '../../database/sql';
import { BYTES_A_TRANSACTION, SUN_A_BYTE } from './fees';
import { COLUMNS, ORDERS_PAUSED, RESERVED, TRANSACTIONS_DUE } from './pool.statements';

const FREE = 'w.delegable_sun - w.reserved_sun';

/** $1 stake, $2 wallets to leave out. It pays, by bandwidth or TRX, for this order and for taking back all that it has lent. */
const FITS = `w.role = 'delegate' and w.state = 'active' and ${FREE} >= $1::bigint and not (w.id = any($2::uuid[]))
  and w.bandwidth + w.balance_sun / ${SUN_A_BYTE} >= (w.transactions_due + 2) * ${BYTES_A_TRANSACTION}
  and not ${ORDERS_PAUSED}`;

/**
 * Takes the stake from the tightest fit, so that large free stakes stay whole for large orders. When another order is just
 * taking from that wallet, the next one serves, but for the one that decides the largest order possible: that is waited for.
 * The row stays locked to the end of the transaction; what is taken is seen by whoever comes next.
 */
export const RESERVE: Statement = {
  name: 'pool_reserve',
  text: `
    with at_once as (
      select w.id from pool_wallets w
      where ${FITS} and exists (
        select from pool_wallets o
        where o.id <> w.id and o.role = 'delegate' and o.state = 'active' and o.delegable_sun - o.reserved_sun >= ${FREE})
      order by ${FREE} limit 1 for no key update skip locked
    ), waited_for as (
      select w.id from pool_wallets w
      where ${FITS} and not exists (select from at_once)
      order by ${FREE} limit 1 for no key update
    ), chosen as (select id from at_once union all select id from waited_for)
    update pool_wallets w set reserved_sun = w.reserved_sun + $1::bigint, transactions_due = w.transactions_due + 2
    from chosen where w.id = chosen.id
    returning ${COLUMNS}`,
};

/** In the transaction that reserved it. */
export const GIVE_BACK: Statement = {
  name: 'pool_give_back',
  text: `update pool_wallets set reserved_sun = reserved_sun - $2::bigint, transactions_due = transactions_due - 2 where id = $1`,
};

/** Whoever counts what is reserved locks the wallet first, or an order that commits meanwhile would be lost from the sum. */
export const LOCK_TO_COUNT: Statement = {
  name: 'pool_lock_to_count',
  text: `select observed_block from pool_wallets where id = $1 for no key update`,
};

/**
 * An older reading does not replace a newer one, whichever instance made it. Each is sound with the block it was made at, so
 * after a minute any is taken: a wrong block number must not keep a wallet's reading for good.
 */
export const OBSERVED: Statement = {
  name: 'pool_observed',
  text: `update pool_wallets
            set delegable_sun = $2, stake_sun = $3, balance_sun = $4, bandwidth = $5, observed_block = $6,
                observed_at = clock_timestamp()
          where id = $1 and (observed_block <= $6 or observed_at < clock_timestamp() - interval '1 minute')`,
};

/** Frees what orders gave up since the last count: the dead, and those that the reading has caught up with. */
export const COUNT_RESERVED: Statement = {
  name: 'pool_count_reserved',
  text: `update pool_wallets w set reserved_sun = ${RESERVED}, transactions_due = ${TRANSACTIONS_DUE} where w.id = $1`,
};

/** Wallets that would fit the stake ($1) once what they have reserved is counted anew. */
export const FITS_WHEN_COUNTED: Statement = {
  name: 'pool_fits_when_counted',
  text: `select w.id
           from pool_wallets w
          cross join lateral (select ${RESERVED} as reserved_sun, ${TRANSACTIONS_DUE} as transactions_due) counted
          where w.role = 'delegate' and w.state = 'active' and w.delegable_sun - counted.reserved_sun >= $1::bigint
            and (w.reserved_sun > counted.reserved_sun or w.transactions_due > counted.transactions_due)`,
};
