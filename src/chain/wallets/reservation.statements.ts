import type { Statement } from '../../database/sql';
import { TRANSACTIONS_PAID } from './fees';
import { ORDERS_PAUSED, RESERVED, TRANSACTIONS_DUE } from './pool.statements';

/** That a locked `wallet` still takes orders, and has their stake and the fees for lending it and taking it back. */
export const LENDS = (stakeSun: string, orders: string) => `
  wallet.role = 'delegate' and wallet.state = 'active' and not ${ORDERS_PAUSED}
  and wallet.delegable_sun - wallet.reserved_sun >= ${stakeSun}
  and ${TRANSACTIONS_PAID('wallet')} >= wallet.transactions_due + 2 * ${orders}`;

/**
 * $1 wallet, $2 the stake of one order. By the newest row, whatever the order saw when it chose; locked first, for an update looks
 * at the row as it was before its lock.
 */
export const TAKE_STAKE: Statement = {
  name: 'pool_take_stake',
  text: `
    with wallet as (
      select * from pool_wallets where id = $1 for no key update
    )
    update pool_wallets w
    set reserved_sun = wallet.reserved_sun + $2, transactions_due = wallet.transactions_due + 2
    from wallet where w.id = wallet.id and ${LENDS('$2', '1')}`,
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
            set delegable_sun = $2, stake_sun = $3, balance_sun = $4, bandwidth = $5, free_bandwidth = $6, observed_block = $7,
                observed_at = clock_timestamp()
          where id = $1 and (observed_block <= $7 or observed_at not between clock_timestamp() - interval '1 minute' and clock_timestamp())`,
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
