import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../users/user.entity';

export interface KeptAnswer {
  readonly id: string;
  readonly at: string;
  readonly sealed: string;
}

/** A user's session in the panel. */
const SessionSchema = defineEntity({
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
    answers: p.json<KeptAnswer[]>().defaultRaw(`'[]'`),
  },
  indexes: [
    { name: 'sessions_user', properties: ['user'] },
    { name: 'sessions_expires_at', properties: ['expiresAt'] },
  ],
});

export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session);
