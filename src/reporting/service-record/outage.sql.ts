/** Instances beat once a minute; without a beat for so long the service was down. A restart takes less. */
export const DOWN_AFTER_MS = 180_000;

/** SQL: a cause that was not seen for so long has gone, */
export const GONE_AFTER = `interval '3 minutes'`;
/** and one that lasted less is not shown. */
export const SHORTEST = `interval '90 seconds'`;
export const KEPT = `interval '100 days'`;
