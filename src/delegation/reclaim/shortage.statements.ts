import { statement } from '../../database/statement';
import { LENT_STATES, sqlList } from '../../common/order.states';

export interface StakeSince {
  /** The lowest block with a delegation of an order that was lent at that time or later; null when there is none. */
  readonly lowest_block: bigint | null;
  /** What orders have ended short of since that time. */
  readonly short_sun: bigint;
}

/** Reads the orders of a wallet and a receiver. Without a block time ($3), those that are lent now. */
export const STAKE_SINCE = statement<[walletId: string, receiver: string, timeMs: number | null], StakeSince>(
  'reclaim_stake_since',
  `select min(d.delegation_block) as lowest_block,
          coalesce(sum(d.shortage_sun) filter (where d.state not in ${sqlList(LENT_STATES)}), 0)::bigint as short_sun
     from delegations d
    where d.wallet_id = $1 and d.receiver = $2
      and (d.state in ${sqlList(LENT_STATES)} or d.reclaimed_at >= to_timestamp($3::float8 / 1000))`,
);

/** Those of these transactions that our orders for the receiver have made, but for dead ones: what one of them took counts for no order. */
export const OWN_MOVES = statement<[receiver: string, txIds: readonly string[]], { tx_id: string }>(
  'reclaim_own_moves',
  `select t.tx_id from delegations d join chain_transactions t on t.subject_id = d.id
    where d.receiver = $1 and t.tx_id = any($2::text[]) and t.state <> 'dead'`,
);
