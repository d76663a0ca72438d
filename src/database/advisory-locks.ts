/** Advisory locks of the whole service, as (class, object) pairs; the class keeps them apart from other applications' locks. */
const LOCK_CLASS = 0x656e6479;

/** Held by the one instance that applies migrations. */
export const MIGRATION_LOCK = `${LOCK_CLASS}, 1`;
/** Held shared by every process that uses the embedded server: who gets it alone is the last and stops the server. */
export const EMBEDDED_SERVER_LOCK = `${LOCK_CLASS}, 2`;
/** Held by the transaction that decides who may be an operator: the first one, or whether the last one may go. */
export const OPERATORS_LOCK = `${LOCK_CLASS}, 3`;
/** Held by the transaction that sets the rate of USDT: over the one that its operator has seen. */
export const DEPOSIT_RATE_LOCK = `${LOCK_CLASS}, 4`;
