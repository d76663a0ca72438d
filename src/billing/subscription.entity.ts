import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';

/** A quota of energy, valid for a while. Kept in energy, so that a fraction of a transaction is exact. */
const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  tableName: 'subscriptions',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    quotaEnergy: p.bigint('bigint'),
    usedEnergy: p.bigint('bigint').defaultRaw('0'),
    heldEnergy: p.bigint('bigint').defaultRaw('0'),
    validFrom: p.datetime(6).defaultRaw('now()'),
    validUntil: p.datetime(6),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** The operator's own name for it: the same one twice makes one subscription. */
    reference: p.text().nullable(),
  },
  indexes: [
    { name: 'subscriptions_user_valid_until', properties: ['user', 'validUntil'] },
    { name: 'subscriptions_reference', properties: ['reference'], where: 'reference is not null' },
  ],
  uniques: [
    { name: 'subscriptions_reference_once', properties: ['user', 'reference'], where: 'reference is not null' },
  ],
  checks: [
    {
      name: 'subscriptions_quota_not_overdrawn',
      expression: 'used_energy >= 0 and held_energy >= 0 and used_energy + held_energy <= quota_energy',
    },
  ],
});

export class Subscription extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(Subscription);
