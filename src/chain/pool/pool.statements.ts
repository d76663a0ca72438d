import type { Statement } from '../../database/sql';

/**
 * What is promised from a wallet and unknown to its reading at solid block B (`observed_block`): the stakes of orders that
 * are not settled, and of orders whose delegation is in a later block. Capacity is what it could delegate at B less these.
 */
export const RESERVED = `
  (coalesce((select sum(d.stake_sun) from delegations d
              where d.wallet_id = w.id and d.state in ('pending', 'activating', 'sent', 'included')), 0)
   + coalesce((select sum(d.stake_sun) from delegations d
                where d.wallet_id = w.id and d.delegation_block > w.observed_block), 0))::bigint`;

/** Transactions that the wallet still has to pay for: two for an order that is not lent yet, one for each that is. */
export const TRANSACTIONS_DUE = `
  (select count(*) + count(*) filter (where d.state in ('pending', 'activating', 'sent', 'included'))
     from delegations d
    where d.wallet_id = w.id
      and d.state in ('pending', 'activating', 'sent', 'included', 'delegated', 'reclaiming', 'taking_back'))`;

/** The switch for all new orders (orders:pause), read where a wallet is chosen, so that it costs no statement of its own. */
export const ORDERS_PAUSED = `exists (select from order_switch where paused_at is not null)`;

const OWN_COLUMNS = `w.id, w.name, w.address, w.role, w.state, w.key_source, w.permission_id, w.delegable_sun, w.stake_sun,
  w.balance_sun, w.bandwidth, w.observed_block, w.observed_at`;
const COLUMNS = `${OWN_COLUMNS}, w.reserved_sun, w.transactions_due`;

/** Counted anew, for whoever looks at the pool. */
export const LIST_WALLETS: Statement = {
  name: 'pool_list',
  text: `select ${OWN_COLUMNS}, ${RESERVED} as reserved_sun, ${TRANSACTIONS_DUE} as transactions_due
           from pool_wallets w order by w.created_at, w.name`,
};

export const WALLETS: Statement = { name: 'pool_wallets', text: `select ${COLUMNS} from pool_wallets w` };

/** Those that take orders, with what they have left. */
export const OPEN_WALLETS: Statement = {
  name: 'pool_open_wallets',
  text: `select ${COLUMNS} from pool_wallets w where w.role = 'delegate' and w.state = 'active' and not ${ORDERS_PAUSED}`,
};

export const WALLET: Statement = { name: 'pool_wallet', text: `select ${COLUMNS} from pool_wallets w where w.id = $1` };

export const LOCK_WALLET: Statement = {
  name: 'pool_lock',
  text: `select id from pool_wallets where id = $1 and state = 'active' for no key update`,
};

export const ACTIVATION_WALLETS: Statement = {
  name: 'pool_activation_wallets',
  text: `select w.id from pool_wallets w where w.role = 'activate' and w.state = 'active' order by w.balance_sun desc`,
};

/** Read after the wallet's lock, so that every activation committed before is seen. */
export const ACTIVATION_WALLET_NOW: Statement = {
  name: 'pool_activation_wallet_now',
  text: `select ${OWN_COLUMNS}, 0::bigint as reserved_sun,
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

/** Of many addresses at once, those that are the service's own. */
export const POOL_ADDRESSES: Statement = {
  name: 'pool_addresses',
  text: `select distinct address as key from pool_wallets where address = any($1::text[])`,
};

/** Wallets that were added and not read yet. */
export const UNREAD: Statement = {
  name: 'pool_unread',
  text: `select id from pool_wallets where observed_at is null and state = 'active'`,
};
