import type { Statement } from '../../database/sql';
import { closesPair } from './closed-pairs';

/**
 * What is promised from a wallet and unknown to its reading at solid block B (`observed_block`): the stakes of orders that
 * are not settled, and of orders whose delegation is in a later block. Capacity is what it could delegate at B less these.
 */
export const RESERVED = `
  (coalesce((select sum(d.stake_sun) from delegations d
              where d.wallet_id = w.id and d.state in ('pending', 'activating', 'sent', 'included')), 0)
   + coalesce((select sum(d.stake_sun) from delegations d
                where d.wallet_id = w.id and d.delegation_block > w.observed_block), 0))::bigint`;

/**
 * Transactions that the wallet still has to pay for, or has paid for in a block that its reading does not know: two for an order
 * that is not lent yet, one for each that is. The time only narrows what is looked at; the block decides.
 */
export const TRANSACTIONS_DUE = `
  ((select count(*) + count(*) filter (where d.state in ('pending', 'activating', 'sent', 'included')
                                         or d.delegation_block > w.observed_block)
      from delegations d
     where d.wallet_id = w.id
       and d.state in ('pending', 'activating', 'sent', 'included', 'delegated', 'reclaiming', 'taking_back'))
   + (select count(*) from delegations d
        join chain_transactions t on t.delegation_id = d.id and t.purpose = 'reclaim' and t.state = 'final'
       where d.wallet_id = w.id and d.state in ('reclaimed', 'taken_back')
         and d.reclaimed_at > w.observed_at - interval '5 minutes' and t.block_number > w.observed_block))`;

/** The switch for all new orders (orders:pause), read where a wallet is chosen, so that it costs no statement of its own. */
export const ORDERS_PAUSED = `exists (select from order_switch where paused_at is not null)`;

/**
 * True of a wallet that was refused for its own fault a moment ago, or is being tried out again by one order. No rest is longer than half an
 * hour: one that ends later was begun while the database's clock was ahead, and is over.
 */
export const rests = (wallet: string): string => `
  coalesce(${wallet}.resting_until > clock_timestamp() and ${wallet}.resting_until <= clock_timestamp() + interval '30 minutes', false)`;
const RESTS = rests('w');

const OWN_COLUMNS = `w.id, w.name, w.address, w.role, w.state, w.key_source, w.permission_id, w.delegable_sun, w.stake_sun,
  w.balance_sun, w.bandwidth, w.free_bandwidth, w.observed_block, w.observed_at, w.refusals, w.resting_until, w.last_refusal,
  ${RESTS} as rests`;
const COLUMNS = `${OWN_COLUMNS}, w.reserved_sun, w.transactions_due`;

/** Counted anew, for whoever looks at the pool. */
export const LIST_WALLETS: Statement = {
  name: 'pool_list',
  text: `select ${OWN_COLUMNS}, ${RESERVED} as reserved_sun, ${TRANSACTIONS_DUE} as transactions_due
           from pool_wallets w where w.removed_at is null order by w.created_at, w.name`,
};

export const WALLETS: Statement = {
  name: 'pool_wallets',
  text: `select ${COLUMNS} from pool_wallets w where w.removed_at is null`,
};

/** Those that take orders, with what they have left, and whether there is a receiver whose orders they do not take now. */
export const OPEN_WALLETS: Statement = {
  name: 'pool_open_wallets',
  text: `select ${COLUMNS}, exists (select from delegations d where d.wallet_id = w.id and ${closesPair('d')}) as has_closed_pairs
           from pool_wallets w where w.role = 'delegate' and w.state = 'active' and not ${ORDERS_PAUSED}
            and not ${RESTS}`,
};

export const WALLET: Statement = { name: 'pool_wallet', text: `select ${COLUMNS} from pool_wallets w where w.id = $1` };

export const LOCK_WALLET: Statement = {
  name: 'pool_lock',
  text: `select id from pool_wallets where id = $1 and state = 'active' for no key update`,
};

export const ACTIVATION_WALLETS: Statement = {
  name: 'pool_activation_wallets',
  text: `select w.id from pool_wallets w where w.role = 'activate' and w.state = 'active' and not ${RESTS}
          order by w.balance_sun desc`,
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
           from pool_wallets where removed_at is null`,
};

/** Of many addresses at once, those that are the service's own. */
export const POOL_ADDRESSES: Statement = {
  name: 'pool_addresses',
  text: `select distinct address as key from pool_wallets where address = any($1::text[]) and removed_at is null`,
};

/** Wallets that were added and not read yet. */
export const UNREAD: Statement = {
  name: 'pool_unread',
  text: `select id from pool_wallets where observed_at is null and state = 'active'`,
};
