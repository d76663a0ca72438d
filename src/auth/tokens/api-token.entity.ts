import { defineEntity, p } from '@mikro-orm/core';
import type { Permission } from '../../users/permissions';
import { User } from '../../users/user.entity';

const ApiTokenSchema = defineEntity({
  name: 'ApiToken',
  tableName: 'api_tokens',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    name: p.text(),
    /** The token's first characters, by which people recognise it; too few to guess the rest from. */
    prefix: p.text(),
    /** SHA-256 of the whole token; the token itself is shown once and never stored. */
    hash: p.blob().unique(),
    permissions: p.array<Permission>(),
    expiresAt: p.datetime(6).nullable(),
    /** What its orders may cost together in a UTC day, by their list prices; null: as much as the account has. */
    dailyLimitSun: p.bigint('bigint').nullable(),
    /** What each order may cost; null: whatever it costs. */
    maxCostSun: p.bigint('bigint').nullable(),
    /** The addresses it may order for and look up, base58check; null: all. */
    receivers: p.array().nullable(),
    /** The networks it may be used from, CIDR; null: all. */
    ips: p.array().nullable(),
    lastUsedAt: p.datetime(6).nullable(),
    revokedAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [{ name: 'api_tokens_user', properties: ['user', 'createdAt'] }],
  checks: [{ name: 'api_tokens_limits_not_negative', expression: 'daily_limit_sun >= 0 and max_cost_sun >= 0' }],
});

export class ApiToken extends ApiTokenSchema.class {}
ApiTokenSchema.setClass(ApiToken);
