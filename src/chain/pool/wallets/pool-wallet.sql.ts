import { IS_RESTORED } from '../../../database/identity/database-identity.sql';
import { transactionsOf } from '../../transactions/outbox/transactions-of.sql';
import { isPaused } from '../switches/switch.sql';
import { TRANSACTIONS_PAID } from './fees';
import { IS_LIVE_ORDER, IS_OPEN_ORDER } from '../../../common/order.states';

/**
 * In a block later than the reading of wallet `w`. The upper end is for the planner: of a comparison with a value that it does not know
 * it expects a third of all rows, and may read the whole table; of a range, one row in 200. (In a subquery for each wallet, not in a join.)
 */
export const inBlockAfterReading = (block: string) => `${block} > w.observed_block and ${block} < ${2n ** 63n - 1n}`;
/** Its upper end, too, is for the planner. */
const sinceReading = (time: string) => `${time} > w.observed_at - interval '5 minutes' and ${time} < 'infinity'`;

/** Stake of wallet `w` that an operator unfreezes, and that its reading still shows as stake. */
const UNFREEZING = `
  select u.amount_sun from stake_operations u
   where u.wallet_id = w.id and u.kind = 'unfreeze' and u.resource = 'energy'
     and (u.state in ('planned', 'signed', 'sent', 'refused', 'included') or u.state = 'final' and ${inBlockAfterReading('u.block_number')})`;

/** Those that have landed. */
export const UNFROZEN = `
  select from stake_operations u
   where u.wallet_id = w.id and u.kind = 'unfreeze' and u.resource = 'energy' and u.state = 'final' and ${inBlockAfterReading('u.block_number')}`;

/**
 * Stake promised from wallet `w` that its reading at solid block B (`observed_block`) does not show yet: that of orders that are not
 * settled, of orders whose delegation is in a later block, and what is being unfrozen. The wallet's capacity is what it could delegate at B
 * less this.
 */
export const RESERVED = `
  (coalesce((select sum(d.stake_sun) from delegations d
              where d.wallet_id = w.id and d.${IS_OPEN_ORDER}), 0)
   + coalesce((select sum(d.stake_sun) from delegations d
                where d.wallet_id = w.id and ${inBlockAfterReading('d.delegation_block')}), 0)
   + coalesce((select sum(x.amount_sun) from (${UNFREEZING}) x), 0))::bigint`;

/** Reclaims of wallet `w` in a block later than its reading. The time only limits how many rows are looked at; the block decides. */
export const RETURNED = `
  select from delegations d cross join lateral ${transactionsOf('d')} t
   where d.wallet_id = w.id and d.state in ('reclaimed', 'taken_back') and ${sinceReading('d.reclaimed_at')}
     and t.purpose = 'reclaim' and t.state = 'final' and t.block_number > w.observed_block`;

/**
 * Transactions that wallet `w` still has to pay for, or paid for in a block later than its reading: two for an order that is not lent
 * yet, one for an order that is.
 */
export const TRANSACTIONS_DUE = `
  ((select count(*) + count(*) filter (where d.${IS_OPEN_ORDER}
                                         or d.delegation_block > w.observed_block)
      from delegations d
     where d.wallet_id = w.id
       and d.${IS_LIVE_ORDER})
   + (select count(*) from (${RETURNED}) r))`;

/**
 * No new orders: an operator has paused them (orders:pause), or has not said yet that this restored or copied database is the one to go
 * on with. Read in the statement that chooses a wallet and in the one that holds its stake, so that it costs no round trip.
 */
export const ORDERS_PAUSED = `(${isPaused('orders')} or ${IS_RESTORED})`;

/**
 * The wallet rests after a refusal, or one order is trying it out. No rest is longer than half an hour: a later end was written while
 * the database's clock was ahead, and does not count.
 */
export const rests = (wallet: string): string => `
  coalesce(${wallet}.resting_until > clock_timestamp() and ${wallet}.resting_until <= clock_timestamp() + interval '30 minutes', false)`;

/** What `LENDS` asks of a locked `wallet`. */
export const LENDING_COLUMNS = `id, role, state, delegable_sun, reserved_sun, bandwidth, free_bandwidth, balance_sun, transactions_due`;

/** A locked `wallet` still takes orders, and has the stake for so many of them and the fees of their delegations and reclaims. */
export const LENDS = (stakeSun: string, orders: string) => `
  wallet.role = 'delegate' and wallet.state = 'active' and not ${ORDERS_PAUSED}
  and wallet.delegable_sun - wallet.reserved_sun >= ${stakeSun}
  and ${TRANSACTIONS_PAID('wallet')} >= wallet.transactions_due + 2 * ${orders}`;
