import { defineEntity, p } from '@mikro-orm/core';

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    email: p.text().unique(),
    name: p.text(),
    operator: p.boolean().default(false),
    /** Calls a minute over all routes and tokens; null: the configured general limit. */
    rateLimitPerMinute: p.integer().nullable(),
    /** argon2id; null until the user follows an invitation to the panel. */
    passwordHash: p.text().nullable(),
    /** Raised by everything that ends all sessions of the user: a session of an earlier epoch is refused, whenever it was written. */
    sessionEpoch: p.integer().default(0),
    /** As Intl names it; null: the browser's. */
    timeZone: p.text().nullable(),
    /** null, or a language that this version lacks: what the browser asks for. */
    language: p.text().nullable(),
    /** From where the user has signed up; null: an operator has created the user. */
    signUpNetwork: p.text().nullable(),
    /** The IPv6 network of 48 bits around it; null of IPv4. */
    signUpWideNetwork: p.text().nullable(),
    /** Since the password was set last. */
    addressChangedAt: p.datetime(6).nullable(),
    disabledAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    {
      name: 'users_email_prefix',
      // For searches by the beginning of an address, under any collation of the database.
      expression: 'create index users_email_prefix on users (email text_pattern_ops)',
    },
    {
      name: 'users_mailbox',
      expression: `create index users_mailbox on users (regexp_replace(email, '(.)[+][^@]*@', '\\1@'))`,
    },
    { name: 'users_sign_up_network', properties: ['signUpNetwork'], where: 'sign_up_network is not null' },
    {
      name: 'users_sign_up_wide_network',
      properties: ['signUpWideNetwork'],
      where: 'sign_up_wide_network is not null',
    },
  ],
  checks: [
    { name: 'users_email_lower_case', expression: 'email = lower(email)' },
    { name: 'users_rate_limit_positive', expression: 'rate_limit_per_minute > 0' },
  ],
});
