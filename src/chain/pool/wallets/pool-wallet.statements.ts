import { IS_RESTORED } from '../../../database/identity/database-identity.sql';
import { statement } from '../../../database/statement';
import { IS_OPEN } from '../../transactions/outbox/chain-transaction.entity';
import { closesPair } from './closed-pairs';
import { IS_LENT_ORDER, IS_LIVE_ORDER } from '../../../common/order.states';
import type { WalletState } from './pool-wallet.entity';
import type { WalletRole } from '../../transactions/signing/wallet-role';
import {
  inBlockAfterReading,
  OPERATED,
  ORDERS_PAUSED,
  RESERVED,
  rests,
  RETURNED,
  TRANSACTIONS_DUE,
} from './pool-wallet.sql';
import type { ListedWalletRow, LockedWallet, OpenWalletRow, WalletRow, WalletSummary } from './wallet-row';

const RESTS = rests('w');

const OWN_COLUMNS = `w.id, w.name, w.address, w.role, w.state, w.key_source, w.permission_id, w.delegable_sun, w.stake_sun,
  w.balance_sun, w.bandwidth, w.free_bandwidth, w.observed_block, w.observed_at, w.refusals, w.resting_until, w.last_refusal,
  ${RESTS} as rests`;
const COLUMNS = `${OWN_COLUMNS}, w.reserved_sun, w.transactions_due`;

/** For people who look at the pool: what is reserved and due is counted in this statement. */
export const LIST_WALLETS = statement<[], ListedWalletRow>(
  'pool_list',
  `select ${OWN_COLUMNS}, (extract(epoch from clock_timestamp() - w.observed_at) * 1000)::float8 as read_ms_ago, w.used_energy_sun, w.unfreezing,
          ${RESERVED} as reserved_sun, ${TRANSACTIONS_DUE} as transactions_due
     from pool_wallets w where w.removed_at is null order by w.created_at, w.name`,
);

export const READABLE_WALLETS = statement<[], WalletRow>(
  'pool_wallets',
  `select ${COLUMNS} from pool_wallets w where w.removed_at is null`,
);

/** Wallets that take orders, with what they have left, and whether they are closed to any receiver (closed-pairs.ts). */
export const OPEN_WALLETS = statement<[], OpenWalletRow>(
  'pool_open_wallets',
  `select ${COLUMNS}, exists (select from delegations d where d.wallet_id = w.id and ${closesPair('d')}) as has_closed_pairs
     from pool_wallets w where w.role = 'delegate' and w.state = 'active' and not ${ORDERS_PAUSED}
      and not ${RESTS}`,
);

export const WALLET = statement<[id: string], WalletRow>(
  'pool_wallet',
  `select ${COLUMNS} from pool_wallets w where w.id = $1`,
);

export const LOCK_WALLET = statement<[id: string], { id: string }>(
  'pool_lock',
  `select w.id from pool_wallets w where w.id = $1 and w.state = 'active' and not ${IS_RESTORED} for no key update`,
);

export const ACTIVATION_WALLETS = statement<[], { id: string }>(
  'pool_activation_wallets',
  `select w.id from pool_wallets w where w.role = 'activate' and w.state = 'active' and not ${IS_RESTORED} and not ${RESTS}
    order by w.balance_sun desc`,
);

/** Read after the wallet is locked, so that every committed activation is counted. */
export const ACTIVATION_WALLET_NOW = statement<[id: string], WalletRow>(
  'pool_activation_wallet_now',
  `select ${OWN_COLUMNS}, 0::bigint as reserved_sun,
          ((select count(*) from chain_transactions t
             where t.wallet_id = w.id and t.purpose = 'activation' and t.${IS_OPEN})
           + (select count(*) from chain_transactions t
               where t.wallet_id = w.id and t.purpose = 'activation' and t.state = 'final'
                 and ${inBlockAfterReading('t.block_number')}))::bigint as transactions_due
     from pool_wallets w where w.id = $1`,
);

export const WALLET_COUNTS = statement<[], { delegating: bigint; active: bigint; all_paused: boolean }>(
  'pool_counts',
  `select count(*) filter (where role = 'delegate') as delegating,
          count(*) filter (where role = 'delegate' and state = 'active') as active, ${ORDERS_PAUSED} as all_paused
     from pool_wallets where removed_at is null`,
);

/** Which of these addresses are pool wallets. */
export const POOL_ADDRESSES = statement<[addresses: readonly string[]], { key: string }>(
  'pool_addresses',
  `select distinct address as key from pool_wallets where address = any($1::text[]) and removed_at is null`,
);

/** Removed ones too: a block that is read late has what they sent before. */
export const POOL_ADDRESSES_EVER = statement<[addresses: readonly string[]], { key: string }>(
  'pool_addresses_ever',
  `select distinct address as key from pool_wallets where address = any($1::text[])`,
);

/** Wallets that were added and not read from the chain yet. */
export const UNREAD = statement<[], { id: string }>(
  'pool_unread',
  `select id from pool_wallets where observed_at is null and state = 'active'`,
);

/**
 * Wallets whose reading does not count a delegation, a reclaim or an act on stake of ours that has landed. A new reading may show more: stake or TRX have
 * come back, or what landed during the reading was subtracted by the node and by us. `offset 0` keeps the question apart for each
 * wallet: as one join it would read all orders and all transactions.
 */
export const OUTDATED = statement<[], { id: string }>(
  'pool_outdated',
  `select w.id from pool_wallets w where w.role = 'delegate' and w.state = 'active'
      and (exists (${RETURNED} offset 0)
           or exists (select from delegations d
                       where d.wallet_id = w.id and ${inBlockAfterReading('d.delegation_block')} offset 0)
           or exists (${OPERATED} offset 0))`,
);

export const PAIR_IS_CLOSED = statement<[walletId: string, receiver: string], { found: number }>(
  'pool_pair_is_closed',
  `select 1 as found from delegations d where d.wallet_id = $1 and d.receiver = $2 and ${closesPair('d')} limit 1`,
);

export const LOANS = statement<[], { wallet_id: string; stake_sun: bigint; due_in_ms: number }>(
  'pool_loans',
  `select wallet_id, stake_sun, (extract(epoch from reclaim_due_at - now()) * 1000)::float8 as due_in_ms
     from delegations where ${IS_LENT_ORDER}`,
);

/** Loans of the same quarter of an hour together, due at its end: a forecast does not need to know more. An overdue loan is due now. */
export const LOANS_BY_QUARTER = statement<[], { wallet_id: string; stake_sun: bigint; due_in_ms: number }>(
  'pool_loans_by_quarter',
  `select wallet_id, sum(stake_sun)::bigint as stake_sun, due_in_ms
     from (select wallet_id, stake_sun,
                  greatest(ceil(extract(epoch from reclaim_due_at - now()) / 900), 0)::float8 * 900000 as due_in_ms
             from delegations where ${IS_LENT_ORDER}) due
    group by wallet_id, due_in_ms`,
);

export const INSERT = statement<
  [
    id: string,
    name: string,
    address: string,
    role: WalletRole,
    keySource: string,
    permissionId: number,
    state: WalletState,
  ],
  WalletSummary
>(
  'pool_insert',
  `insert into pool_wallets (id, name, address, role, key_source, permission_id, state)
   values ($1, $2, $3, $4, $5, $6, $7)
   returning name, address, role, state`,
);

/** An operator who resumes a wallet has fixed what it was refused for. */
const ENDS_REFUSAL = `$2 = 'active' or last_refusal ->> 'purpose' <> 'reclaim'`;
/**
 * Setting a wallet active ends its refusals. Pausing or draining it ends refusals of delegations and activations as well: it signs
 * none of them any more, so nothing else could end them. Reclaims go on.
 */
export const SET_STATE = statement<[name: string, state: WalletState], WalletSummary>(
  'pool_set_state',
  `update pool_wallets
      set state = $2, resumes_itself = false, paused_by_reconciler = false,
          refusals = case when ${ENDS_REFUSAL} then 0 else refusals end,
          resting_until = case when ${ENDS_REFUSAL} then null else resting_until end
    where name = $1 and removed_at is null
   returning name, address, role, state`,
);

export const LOCK_BY_NAME = statement<[name: string], LockedWallet>(
  'pool_lock_by_name',
  `select id, name, address, role, state, key_source, permission_id
     from pool_wallets where name = $1 and removed_at is null for no key update`,
);

/** A new key also ends the refusals: the old one may have caused them. */
export const UPDATE_KEY = statement<[id: string, keySource: string, permissionId: number], WalletSummary>(
  'pool_update_key',
  `update pool_wallets set key_source = $2, permission_id = $3, refusals = 0, resting_until = null where id = $1
   returning name, address, role, state`,
);

/** Read under the wallet's lock, which every order takes before it commits, and every operation on stake before it is planned: none is missed. */
export const COUNT_LIVE = statement<[id: string], { orders: bigint; transactions: bigint }>(
  'pool_out',
  `select (select count(*) from delegations d
            where d.wallet_id = $1 and d.${IS_LIVE_ORDER}) as orders,
          (select count(*) from chain_transactions t where t.wallet_id = $1 and t.${IS_OPEN})
          + (select count(*) from stake_operations o where o.wallet_id = $1 and o.state = 'planned') as transactions`,
);

export const REMOVE = statement<[id: string], WalletSummary>(
  'pool_remove',
  `update pool_wallets set state = 'draining', resumes_itself = false, paused_by_reconciler = false, removed_at = clock_timestamp() where id = $1
   returning name, address, role, 'removed' as state`,
);
