import { defineEntity, p } from '@mikro-orm/core';

/** What RATE_LIMIT_STORE=postgres and `SharedRateLimits` count, for all instances together. Unlogged: after a crash of the database, all windows begin again. */
const RateLimitWindowSchema = defineEntity({
  name: 'RateLimitWindow',
  tableName: 'rate_limit_windows',
  properties: {
    /** The limit's name and whom it counts: a user or an address. */
    key: p.text().primary(),
    calls: p.integer(),
    endsAt: p.datetime(6),
  },
  indexes: [{ name: 'rate_limit_windows_ends_at', properties: ['endsAt'] }],
});

export class RateLimitWindow extends RateLimitWindowSchema.class {}
RateLimitWindowSchema.setClass(RateLimitWindow);
