import { defineEntity, p } from '@mikro-orm/core';
import type { Permission } from '../users/permissions';
import { User } from '../users/user.entity';

export const ApiToken = defineEntity({
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

/** What the orders of a token count on one UTC day. A transaction that writes it has locked the account of the token's user. */
export const TokenDay = defineEntity({
  name: 'TokenDay',
  tableName: 'token_days',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    token: () => p.manyToOne(ApiToken).ref().deleteRule('restrict'),
    day: p.date(),
    /** The list prices of its orders that are held or charged. */
    usedSun: p.bigint('bigint'),
  },
  uniques: [{ name: 'token_days_token_day', properties: ['token', 'day'] }],
  checks: [{ name: 'token_days_used_not_negative', expression: 'used_sun >= 0' }],
});

/**
 * SQL: the day it is, in UTC by the database's clock, whatever the session's time zone. Of the statement's beginning, so that an index
 * finds a day by it; one that waits for its locks over midnight still counts on the day it came.
 */
export const UTC_TODAY = `(statement_timestamp() at time zone 'utc')::date`;

/** A user's session in the panel. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    /** SHA-256 of the id in the cookie: a copy of the database does not help to sign in. */
    key: p.text().primary(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    /** The user's session epoch at sign-in. */
    epoch: p.integer().default(0),
    data: p.json<Record<string, unknown>>(),
    expiresAt: p.datetime(6),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** Where it began, and with what; null where the browser has not said. */
    network: p.text().nullable(),
    browser: p.text().nullable(),
    seenAt: p.datetime(6).nullable(),
    /** When the password was given last. */
    passwordAt: p.datetime(6).nullable(),
    /** Pages that answered forms, sealed with the session's id. */
    answers: p.json<{ id: string; at: string; sealed: string }[]>().defaultRaw(`'[]'`),
  },
  indexes: [
    { name: 'sessions_user', properties: ['user'] },
    { name: 'sessions_expires_at', properties: ['expiresAt'] },
  ],
});

/**
 * What signs session cookies and form tokens: made by the migration, so that all instances on one database have the same. It is in every
 * copy of the database, so no signature of it may be enough to sign in: behind it there is a value of which the database has only a hash.
 */
export const SessionSecret = defineEntity({
  name: 'SessionSecret',
  tableName: 'session_secret',
  properties: { id: p.integer().primary().autoincrement(false), secret: p.text() },
  checks: [{ name: 'session_secret_single_row', expression: 'id = 1' }],
});

/** Somebody whose password was right, or who has used a link, and whose code is still asked for. */
export const PendingSignInRow = defineEntity({
  name: 'PendingSignInRow',
  tableName: 'pending_sign_ins',
  properties: {
    /** SHA-256 of what the cookie holds: a copy of the database does not help to sign in. */
    key: p.text().primary(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    /** The user's session epoch when the password was right: one that is raised meanwhile ends it. */
    epoch: p.integer(),
    firstStep: p.text(),
    network: p.text(),
    expiresAt: p.datetime(6),
  },
  indexes: [
    { name: 'pending_sign_ins_user', properties: ['user'] },
    { name: 'pending_sign_ins_expires_at', properties: ['expiresAt'] },
  ],
  checks: [{ name: 'pending_sign_ins_first_step', expression: "first_step in ('password', 'link')" }],
});

/** What a user gives besides the password: a code of six digits that changes every 30 seconds (TOTP, RFC 6238). */
export const SecondFactor = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factors',
  properties: {
    user: () => p.oneToOne(User).primary().ref().owner().deleteRule('restrict'),
    /** As `common/secret-cipher.ts` keeps it: encrypted where a key is set. */
    secret: p.text(),
    /** Time step of the last code that was taken: neither it nor an earlier one is taken again. */
    lastStep: p.bigint('bigint'),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [{ name: 'second_factors_secret_length', expression: 'length(secret) <= 1000' }],
});

/** In place of a code, once: deleting the row is using it. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    user: () => p.manyToOne(User).primary().ref().deleteRule('restrict'),
    /** SHA-256: the codes are random and long, so nothing slower is needed. */
    codeHash: p.text().primary(),
  },
});

/** A one-time link with which a user sets the first password or a new one. A newer link ends the older ones. */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    /** SHA-256 of the secret in the link. */
    key: p.text().primary(),
    /** null: the link makes its user the first operator. */
    user: () => p.manyToOne(User).ref().nullable().deleteRule('restrict'),
    expiresAt: p.datetime(6),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [{ name: 'invitations_user', properties: ['user'] }],
});

/** Somebody who wants to be a customer: until the address is confirmed, and, where operators decide, until they have. */
export const SignUp = defineEntity({
  name: 'SignUp',
  tableName: 'sign_ups',
  properties: {
    id: p.uuid().primary(),
    email: p.text(),
    name: p.text(),
    /** argon2id. Until the address is confirmed perhaps a stranger's; the row goes when the user or the refusal is there. */
    passwordHash: p.text(),
    /** SHA-256 of what the cookie of the browser holds that signed up: only there the password counts. null: confirmed. */
    browserKey: p.text().nullable(),
    language: p.text(),
    network: p.text(),
    /** The IPv6 network of 48 bits around it; null of IPv4. */
    wideNetwork: p.text().nullable(),
    /** SHA-256 of the secret in each link that a mail has taken along. */
    keys: p.array().defaultRaw(`'{}'`),
    /** null: confirmed. */
    expiresAt: p.datetime(6).nullable(),
    confirmedAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    { name: 'sign_ups_expires_at', properties: ['expiresAt'], where: 'expires_at is not null' },
    { name: 'sign_ups_waiting', properties: ['confirmedAt'], where: 'confirmed_at is not null' },
    {
      name: 'sign_ups_mailbox',
      expression: `create index sign_ups_mailbox on sign_ups (regexp_replace(email, '(.)[+][^@]*@', '\\1@'))`,
    },
  ],
  checks: [
    { name: 'sign_ups_email_lower_case', expression: 'email = lower(email)' },
    { name: 'sign_ups_browser_until_confirmed', expression: '(confirmed_at is null) = (browser_key is not null)' },
    { name: 'sign_ups_waits_or_expires', expression: '(confirmed_at is null) = (expires_at is not null)' },
  ],
});

/** A new address of a user's, until it is confirmed there. A newer one ends it. */
export const EmailChange = defineEntity({
  name: 'EmailChange',
  tableName: 'email_changes',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    email: p.text(),
    /** SHA-256 of the secret in each link that a mail has taken along. */
    keys: p.array().defaultRaw(`'{}'`),
    expiresAt: p.datetime(6),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    { name: 'email_changes_user', properties: ['user'] },
    { name: 'email_changes_expires_at', properties: ['expiresAt'] },
  ],
  checks: [{ name: 'email_changes_email_lower_case', expression: 'email = lower(email)' }],
});

/** A network from which a user has signed in to the panel. */
export const KnownNetwork = defineEntity({
  name: 'KnownNetwork',
  tableName: 'known_places',
  properties: {
    user: () => p.manyToOne(User).primary().ref().deleteRule('restrict'),
    /** An IPv4 address, or an IPv6 network of 64 bits. */
    network: p.text().primary(),
    lastAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [{ name: 'known_places_last_at', properties: ['lastAt'] }],
});
