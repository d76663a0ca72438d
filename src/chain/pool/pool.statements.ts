import type { Statement } from '../../database/sql';

/**
 * Capacity of a wallet: what it could delegate at solid block B (`observed_block`), less our own stakes that the reading at B
 * does not know of yet: orders not settled, and orders whose delegation is in a later block.
 */
const RESERVED = `
  coalesce((select sum(d.stake_sun) from delegations d
             where d.wallet_id = w.id and d.state in ('pending', 'activating', 'sent', 'included')), 0)
  + coalesce((select sum(d.stake_sun) from delegations d
               where d.wallet_id = w.id and d.delegation_block > w.observed_block), 0)`;

/** Transactions that the wallet still has to pay for: two for an order that is not lent yet, one for each that is. */
const TRANSACTIONS_DUE = `
  (select count(*) + count(*) filter (where d.state in ('pending', 'activating', 'sent', 'included'))
     from delegations d
    where d.wallet_id = w.id
      and d.state in ('pending', 'activating', 'sent', 'included', 'delegated', 'reclaiming', 'taking_back'))`;

/** The switch for all new orders (orders:pause), read where a wallet is chosen, so that it costs no statement of its own. */
const ORDERS_PAUSED = `exists (select from order_switch where paused_at is not null)`;

const COLUMNS = `w.id, w.name, w.address, w.role, w.state, w.key_source, w.permission_id, w.delegable_sun, w.stake_sun,
  w.balance_sun, w.bandwidth, w.observed_block, w.observed_at`;

export const LIST_WALLETS: Statement = {
  name: 'pool_list',
  text: `select ${COLUMNS}, (${RESERVED})::bigint as reserved_sun, ${TRANSACTIONS_DUE}::bigint as transactions_due
           from pool_wallets w order by w.created_at, w.name`,
};

/** The tightest fit first: large free stakes stay whole for large orders. */
export const CANDIDATES: Statement = {
  name: 'pool_candidates',
  text: `select * from (
           select ${COLUMNS}, (${RESERVED})::bigint as reserved_sun, ${TRANSACTIONS_DUE}::bigint as transactions_due
             from pool_wallets w where w.role = 'delegate' and w.state = 'active' and not ${ORDERS_PAUSED}) as wallet
          where delegable_sun - reserved_sun >= $1
          order by delegable_sun - reserved_sun limit 5`,
};

/** Serialises the orders of one wallet; the sums are read after it, so that they see every order committed before. */
export const LOCK_WALLET: Statement = {
  name: 'pool_lock',
  text: `select id from pool_wallets where id = $1 and state = 'active' for no key update`,
};

export const WALLET_NOW: Statement = {
  name: 'pool_wallet_now',
  text: `select ${COLUMNS}, (${RESERVED})::bigint as reserved_sun, ${TRANSACTIONS_DUE}::bigint as transactions_due
           from pool_wallets w where w.id = $1`,
};

export const WALLET: Statement = {
  name: 'pool_wallet',
  text: `select ${COLUMNS}, 0::bigint as reserved_sun, 0::bigint as transactions_due from pool_wallets w where w.id = $1`,
};

export const ACTIVATION_WALLETS: Statement = {
  name: 'pool_activation_wallets',
  text: `select w.id from pool_wallets w where w.role = 'activate' and w.state = 'active' order by w.balance_sun desc`,
};

export const ACTIVATION_WALLET_NOW: Statement = {
  name: 'pool_activation_wallet_now',
  text: `select ${COLUMNS}, 0::bigint as reserved_sun,
                (select count(*) from chain_transactions t
                  where t.wallet_id = w.id and t.purpose = 'activation'
                    and (t.state in ('saved', 'sent', 'included') or t.block_number > w.observed_block))::bigint as transactions_due
           from pool_wallets w where w.id = $1`,
};

export const WALLET_COUNTS: Statement = {
  name: 'pool_counts',
  text: `select count(*) filter (where role = 'delegate') as delegating,
                count(*) filter (where role = 'delegate' and state = 'active') as active, ${ORDERS_PAUSED} as all_paused
           from pool_wallets`,
};

export const IS_POOL_ADDRESS: Statement = {
  name: 'pool_is_address',
  text: `select 1 as found from pool_wallets where address = $1 limit 1`,
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

/** A wallet that was added and not read yet. */
export const UNREAD: Statement = {
  name: 'pool_unread',
  text: `select 1 as found from pool_wallets where observed_at is null limit 1`,
};
