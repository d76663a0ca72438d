/**
 * SQL: the transactions of an order. `offset 0` has them looked up by its id, order by order: by statistics from before most of them were
 * there, PostgreSQL would join instead, and compare each of ten thousand orders with each transaction.
 */
export const transactionsOf = (order: string): string => `(
  select t.purpose, t.state, t.tx_id, t.amount_sun, t.block_number, t.raw_data
    from chain_transactions t where t.subject_id = ${order}.id offset 0)`;
