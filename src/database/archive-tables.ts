/** Tables whose rows move to `archived_…` once their order is old and over; `all_…` are the views of both. */
export const ARCHIVED_TABLES = ['delegations', 'holds', 'chain_transactions', 'delegation_events'] as const;
