/** SQL: the hash in `order_keys` of a user's idempotency key; as the trigger `delegations_keys_kept` makes it. */
export const keyHash = (userId: string, key: string): string =>
  `sha256(convert_to(${userId}::uuid::text || ' ' || ${key}, 'UTF8'))`;

/** SQL: the order that a hash belongs to. */
export const orderOf = (hash: string): string => `(select k.delegation_id from order_keys k where k.key = ${hash})`;

/** SQL: the order of a transaction. */
export const orderWithTxId = (txId: string): string =>
  `(select t.subject_id from chain_transactions t where t.tx_id = ${txId} limit 1)`;
