import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../users/user.entity';

/** Somebody whose password was right, or who has used a link, and whose code is still asked for. */
const PendingSignInRowSchema = defineEntity({
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

export class PendingSignInRow extends PendingSignInRowSchema.class {}
PendingSignInRowSchema.setClass(PendingSignInRow);
