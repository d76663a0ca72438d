/**
 * SQL: the transactions of an order. `offset 0` has them looked up by its id, order by order: by statistics from before the first reclaims,
 * PostgreSQL would join instead, and compare each of ten thousand orders with each reclaim.
 */
export const transactionsOf = (order: string): string => `(
  select t.purpose, t.state, t.block_number from chain_transactions t where t.delegation_id = ${order}.id offset 0)`;
