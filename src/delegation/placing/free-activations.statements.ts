import type { Statement } from '../../database/sql';

/** Of one account in any 24 hours, by block time. */
export const MOST_FREE_ACTIVATIONS = 3n;
const DAY_MS = 86_400_000;

/** Block time from which on they count, seen from the newest block. */
export const withinADay = (headTimeMs: number) => headTimeMs - DAY_MS;

/**
 * An account's activations that its orders do not pay for, since block time $1: they landed, or may still land, and the order was
 * answered with a failure. One that is in no block counts until it is proved dead. `under_way`: not answered yet, so that it may
 * become one; an order that is over, and whose request went away unanswered, was nobody's gain. What was answered with success is in other states, all but a moment of it, and so out of the index.
 */
const counted = (where: string) => `
  select d.user_id, count(*) filter (where d.answer = 'failure') as free,
         count(*) filter (where d.answer = 'none' and d.state in ('activating', 'pending', 'sent', 'included')) as under_way
    from delegations d
    join chain_transactions t on t.delegation_id = d.id and t.purpose = 'activation'
   where d.activates and d.state in ('activating', 'pending', 'sent', 'included', 'failed', 'taking_back', 'taken_back')
     and t.state <> 'dead' and (t.block_time_ms is null or t.block_time_ms > $1::bigint) ${where}
   group by d.user_id`;

export const FREE_ACTIVATIONS_OF_USER: Statement = {
  name: 'free_activations_of_user',
  text: counted('and d.user_id = $2'),
};
/** Accounts that have any, most first. */
export const FREE_ACTIVATIONS: Statement = {
  name: 'free_activations_of_all',
  text: `select user_id, free from (${counted('')}) c where free > 0 order by free desc, user_id`,
};

export interface FreeActivationsOfUser {
  readonly user_id: string;
  readonly free: bigint;
}
