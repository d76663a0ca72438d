import type { Statement } from '../../database/sql';

/** How the last error of an order begins whose stake a node has not found: from then on it is taken back alone, as far as it is there. */
export const STAKE_MISSING = 'the delegation is not there in full';

/** True of an order whose stake was not found; the words of a partial index, which is all that this costs while there is none. */
export const missesStake = (order: string) =>
  `${order}.state in ('delegated', 'reclaiming', 'taking_back') and starts_with(${order}.last_error, '${STAKE_MISSING}')`;

/**
 * True of an order that closes its pair of wallet and receiver: nothing new is begun between them, so that what is under way is solid
 * or dead when its next attempt comes, however much is ordered. Attempts that fail again and again are ten minutes apart, of which the
 * pair is open for seven. A wait beyond these ten was begun while the database's clock was ahead, and is over. Nor is a pair closed
 * behind a reclaim that nobody can decide, for no node has its blocks any more: its bytes are long dead after ten minutes.
 */
export const closesPair = (order: string) => `${missesStake(order)}
  and (${order}.next_attempt_at is null or ${order}.next_attempt_at
         not between clock_timestamp() + interval '3 minutes' and clock_timestamp() + interval '10 minutes')
  and not exists (select from chain_transactions t
                   where t.delegation_id = ${order}.id and t.purpose = 'reclaim' and t.state <> 'dead'
                     and t.created_at < clock_timestamp() - interval '10 minutes')`;

export const PAIR_IS_CLOSED: Statement = {
  name: 'pool_pair_is_closed',
  text: `select 1 from delegations d where d.wallet_id = $1 and d.receiver = $2 and ${closesPair('d')} limit 1`,
};
