import { IS_RESTORED } from '../../../database/identity/database-identity.sql';
import { transactionsOf } from '../../transactions/outbox/transactions-of.sql';
import { isPaused } from '../switches/switch.sql';
import { BYTES_A_TRANSACTION, BYTES_A_VOTE, SUN_A_BYTE, TRANSACTIONS_PAID } from './fees';
import { IS_LIVE_ORDER, IS_OPEN_ORDER } from '../../../common/order.states';

/**
 * In a block later than the reading of wallet `w`. The upper end is for the planner: of a comparison with a value that it does not know
 * it expects a third of all rows, and may read the whole table; of a range, one row in 200. (In a subquery for each wallet, not in a join.)
 */
export const inBlockAfterReading = (block: string) => `${block} > w.observed_block and ${block} < ${2n ** 63n - 1n}`;
/** Its upper end, too, is for the planner. */
const sinceReading = (time: string) => `${time} > w.observed_at - interval '5 minutes' and ${time} < 'infinity'`;

/** Acts on the stake of wallet `w` that its reading does not show yet. */
const OPERATIONS = `
    from stake_operations u
   where u.wallet_id = w.id
     and (u.state in ('planned', 'signed', 'sent', 'refused', 'included') or u.state = 'final' and ${inBlockAfterReading('u.block_number')})`;

/** Those that have landed, and change more than votes. */
export const OPERATED = `
  select from stake_operations u
   where u.wallet_id = w.id and u.kind in ('claim', 'freeze', 'unfreeze', 'withdraw', 'cancel-unfreeze') and u.state = 'final'
     and ${inBlockAfterReading('u.block_number')}`;

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
   + coalesce((select sum(u.amount_sun) ${OPERATIONS} and u.kind = 'unfreeze' and u.resource = 'energy'), 0))::bigint`;

/** Reclaims of wallet `w` in a block later than its reading. The time only limits how many rows are looked at; the block decides. */
export const RETURNED = `
  select from delegations d cross join lateral ${transactionsOf('d')} t
   where d.wallet_id = w.id and d.state in ('reclaimed', 'taken_back') and ${sinceReading('d.reclaimed_at')}
     and t.purpose = 'reclaim' and t.state = 'final' and t.block_number > w.observed_block`;

/**
 * So many transactions less wallet `w` pays for with these acts: they take their own bytes, the TRX that are frozen, and all staked bandwidth
 * where some of that stake is unfrozen, for the network's totals alone say how much of it goes.
 */
const OPERATIONS_DUE = `
  (select coalesce(sum(1 + ceil(coalesce(jsonb_array_length(u.votes), 0) * ${BYTES_A_VOTE} / ${BYTES_A_TRANSACTION}.0)
                       + case when u.kind = 'freeze' then ceil(u.amount_sun / ${BYTES_A_TRANSACTION * SUN_A_BYTE}.0)
                              when u.kind = 'unfreeze' and u.resource = 'bandwidth'
                              then greatest(w.bandwidth - w.free_bandwidth, 0) / ${BYTES_A_TRANSACTION}
                              else 0 end), 0)::bigint ${OPERATIONS})`;

/**
 * Transactions that wallet `w` still has to pay for, or paid for in a block later than its reading: two for an order that is not lent
 * yet, one for an order that is, and those of acts on its stake.
 */
export const TRANSACTIONS_DUE = `
  ((select count(*) + count(*) filter (where d.${IS_OPEN_ORDER}
                                         or d.delegation_block > w.observed_block)
      from delegations d
     where d.wallet_id = w.id
       and d.${IS_LIVE_ORDER})
   + (select count(*) from (${RETURNED}) r)
   + ${OPERATIONS_DUE})`;

/**
 * No new orders: an operator has paused them (orders:pause), or has not said yet that this restored or copied database is the one to go
 * on with. Read in the statement that chooses a wallet and in the one that holds its stake, so that it costs no round trip.
 */
export const ORDERS_PAUSED = `(${isPaused('orders')} or ${IS_RESTORED})`;

/** The network refuses the wallet's reclaims: what it lends now it could not take back either. */
export const RECLAIMS_REFUSED = (wallet: string): string => `
  (${wallet}.refusals > 0 and coalesce(${wallet}.last_refusal ->> 'purpose' = 'reclaim', false))`;

/**
 * The wallet rests after a refusal, or one order is trying it out; an order cannot try reclaims out, so one that is accepted ends their
 * rest. No other rest is longer than half an hour: a later end was written while the database's clock was ahead, and does not count.
 */
export const rests = (wallet: string): string => `
  (${RECLAIMS_REFUSED(wallet)} or coalesce(
    ${wallet}.resting_until > clock_timestamp() and ${wallet}.resting_until <= clock_timestamp() + interval '30 minutes', false))`;

/** What `LENDS` asks of a locked `wallet`. */
export const LENDING_COLUMNS = `id, role, state, delegable_sun, reserved_sun, bandwidth, free_bandwidth, balance_sun, transactions_due`;

/** A locked `wallet` still takes orders, and has the stake for so many of them and the fees of their delegations and reclaims. */
export const LENDS = (stakeSun: string, orders: string) => `
  wallet.role = 'delegate' and wallet.state = 'active' and not ${ORDERS_PAUSED}
  and wallet.delegable_sun - wallet.reserved_sun >= ${stakeSun}
  and ${TRANSACTIONS_PAID('wallet')} >= wallet.transactions_due + 2 * ${orders}`;
