import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../users/user.entity';

/** A one-time link with which a user sets the first password or a new one. A newer link ends the older ones. */
const InvitationSchema = defineEntity({
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

export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation);
