/**
 * By default the first question comes after two hours: what has no `query_timeout`, as migrations and exports, would wait for a vanished
 * server for so long.
 */
export const KEEPALIVES = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** A statement or transaction that runs into one of these is a defect or an outage; waiting longer would only pile up requests. */
export const CONNECTION_LIMITS = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 15_000,
  /** For a server that says nothing at all any more. */
  query_timeout: 20_000,
  /** A commit goes out with statements that may each wait so long, and must be answered before `query_timeout`. */
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
};

/**
 * An index of a large table takes as long as it takes. While a statement waits for a table's lock, all writers wait for that statement, though: it gives
 * up within a second, lets them pass, and is tried again.
 */
export const MIGRATION_LIMITS = { ...CONNECTION_LIMITS, statement_timeout: 0, query_timeout: 0, lock_timeout: 700 };
