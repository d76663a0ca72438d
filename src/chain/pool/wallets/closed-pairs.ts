import { IS_LENT_ORDER } from '../../../common/order.states';
import { isPaused } from '../switches/switch.sql';

/** What an order says while its `stake_missing` is true: it is reclaimed alone, as far as its stake is there. */
export const STAKE_MISSING = 'the delegation is not there in full';
/** And while its `stake_doubted` is: its undelegation may be among rows that are missing, until the chain has been asked. */
export const STAKE_DOUBTED = `${STAKE_MISSING}, perhaps: the database may lack its latest rows, so the chain is asked first`;

/** SQL: the order's stake was not found. The same condition as a partial index, so it costs next to nothing while no such order exists. */
export const missesStake = (order: string) => `${order}.${IS_LENT_ORDER} and ${order}.stake_missing`;

const isReclaimOf = (order: string) => `t.subject_id = ${order}.id and t.purpose = 'reclaim' and t.state <> 'dead'`;

/**
 * SQL: the order closes its pair of wallet and receiver: no new delegation between them, so that those under way are final or dead by
 * its next attempt. Attempts that keep failing are ten minutes apart, and the pair is open for seven of them. A next attempt further
 * off than ten minutes was written while the database's clock was ahead, and does not count. Nor does a reclaim that can never be
 * decided because no node has its blocks: its bytes have long expired after ten minutes. While reclaims are paused none comes,
 * so only an earlier one whose bytes may still land keeps it closed.
 */
export const closesPair = (order: string) => `${missesStake(order)}
  and (${order}.next_attempt_at is null or ${order}.next_attempt_at
         not between clock_timestamp() + interval '3 minutes' and clock_timestamp() + interval '10 minutes')
  and not exists (select from chain_transactions t
                   where ${isReclaimOf(order)} and t.created_at < clock_timestamp() - interval '10 minutes')
  and (not ${isPaused('reclaims')} or exists (select from chain_transactions t where ${isReclaimOf(order)}))`;
