import { defineEntity, p } from '@mikro-orm/core';

/**
 * What signs session cookies and form tokens: made by the migration, so that all instances on one database have the same. It is in every
 * copy of the database, so no signature of it may be enough to sign in: behind it there is a value of which the database has only a hash.
 */
const SessionSecretSchema = defineEntity({
  name: 'SessionSecret',
  tableName: 'session_secret',
  properties: { id: p.integer().primary().autoincrement(false), secret: p.text() },
  checks: [{ name: 'session_secret_single_row', expression: 'id = 1' }],
});

export class SessionSecret extends SessionSecretSchema.class {}
SessionSecretSchema.setClass(SessionSecret);
