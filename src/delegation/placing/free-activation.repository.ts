import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';
import { UNCLAIMED } from '../leases';
import { sqlList, UNCHARGED_STATES, OPEN_STATES } from '../../common/order.states';

export interface FreeActivationsOfUser {
  readonly user_id: string;
  readonly free: bigint;
}

const DAY_MS = 86_400_000;

interface CountedActivations extends FreeActivationsOfUser {
  readonly under_way: bigint;
}

/** Said by the answer itself (order.statements.ts): reclaims take an order over as well, when it has been answered long since. */
const ANSWERED_AFTER_A_CRASH = `exists (
  select from delegation_events e where e.delegation_id = d.id and e.kind = 'answered' and (e.detail ->> 'taken_over')::boolean)`;

/**
 * An account's activations that its orders do not pay for, since block time $1: they landed, or may still land, and the order was answered
 * with a failure. One that is in no block counts until it is proved dead. `under_way`: not answered yet, so that it may become one; no user
 * gained from a finished order whose request went away unanswered. What a crash of ours made counts in neither: the claim on such an order
 * runs out (a caller cannot bring that about), and its answer is another request's, which took it over. What was answered with success is
 * in other states, all but a moment of it, and so out of the index.
 */
const counted = (where: string) => `
  select d.user_id, count(*) filter (where d.answer = 'failure' and not ${ANSWERED_AFTER_A_CRASH}) as free,
         count(*) filter (where d.answer = 'none' and d.epoch = 0 and d.state in ${sqlList(OPEN_STATES)} and not ${UNCLAIMED}) as under_way
    from delegations d
    join chain_transactions t on t.subject_id = d.id and t.purpose = 'activation'
   where d.activates and d.state in ${sqlList(UNCHARGED_STATES)}
     and t.state <> 'dead' and (t.block_time_ms is null or t.block_time_ms > $1::bigint) ${where}
   group by d.user_id`;

const OF_USER = statement<[sinceMs: number, userId: string], CountedActivations>(
  'free_activations_of_user',
  counted('and d.user_id = $2'),
);

const OF_ALL = statement<[sinceMs: number], FreeActivationsOfUser>(
  'free_activations_of_all',
  `select user_id, free from (${counted('')}) c where free > 0 order by free desc, user_id`,
);

/** Those that were not charged because the account existed before: they are a loss as well. */
const WAIVED_OF_USER = statement<[sinceMs: number, userId: string], { waived: bigint }>(
  'waived_activations_of_user',
  `select count(*) as waived from waived_activations where head_time_ms > $1::bigint and user_id = $2`,
);
const ADD_WAIVED = statement<[orderId: string, userId: string, headTimeMs: number]>(
  'waived_activation_add',
  `insert into waived_activations (delegation_id, user_id, head_time_ms) values ($1, $2, $3)`,
);

/** Counts over the 24 hours, by block time, before the newest block. */
@Injectable()
export class FreeActivationRepository {
  constructor(private readonly sql: Sql) {}

  countOfUser(tx: Queryable, userId: string, headTimeMs: number): Promise<CountedActivations | null> {
    return tx.row(OF_USER, [headTimeMs - DAY_MS, userId]);
  }

  async countWaived(tx: Queryable, userId: string, headTimeMs: number): Promise<bigint> {
    return (await tx.row(WAIVED_OF_USER, [headTimeMs - DAY_MS, userId]))!.waived;
  }

  async addWaived(tx: SqlTransaction, orderId: string, userId: string, headTimeMs: number): Promise<void> {
    await tx.execute(ADD_WAIVED, [orderId, userId, headTimeMs]);
  }

  /** Accounts that have any, most first. */
  countOfAll(headTimeMs: number): Promise<FreeActivationsOfUser[]> {
    return this.sql.rows(OF_ALL, [headTimeMs - DAY_MS]);
  }
}
