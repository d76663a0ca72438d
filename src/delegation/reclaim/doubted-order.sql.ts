import { LENT_STATES, sqlList } from '../order.states';

/**
 * SQL: rows may lack what was taken back of the order `d` since: the comparison of `i` (`database_identity`) has begun above its block,
 * and its pair is not compared.
 */
export const IS_DOUBTED = `(i.compared_block >= coalesce(d.delegation_block, 0) and not exists (
  select from compared_pairs p
   where p.wallet_id = d.wallet_id and p.receiver = d.receiver and p.compared_block = i.compared_block))`;

/** SQL: between the wallet and the receiver an order is lent that is doubted, or none may be compared yet. */
export const isPairDoubted = (walletId: string, receiver: string): string => `exists (
  select from delegations d cross join database_identity i
   where d.wallet_id = ${walletId} and d.receiver = ${receiver} and d.state in ${sqlList(LENT_STATES)}
     and (${IS_DOUBTED} or i.timeline is null))`;
