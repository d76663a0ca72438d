/** How long after the head's time a block may still include a transaction. */
export const LIFETIME_MS = 60_000;
/** Expirations are earlier by a random part of this, so that two instances never make equal bytes. */
export const MOST_EARLIER_MS = 1_000;
/** An expiration is never earlier than so long after the head's time. */
export const SHORTEST_LIFETIME_MS = LIFETIME_MS - MOST_EARLIER_MS;
