/** A block time in milliseconds, exact to the microsecond that columns have. */
export const blockTime = (ms: string): string => `to_timestamp(${ms}::float8 / 1000)`;

/** For a row of `subscriptions`, at a block time: a clock that is wrong neither ends what was sold nor gives more of it. */
export const isValidAt = (row: string, ms: string): string =>
  `${row}.valid_from <= ${blockTime(ms)} and ${row}.valid_until > ${blockTime(ms)}`;
