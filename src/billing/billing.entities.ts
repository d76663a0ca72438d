import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';

/** From where its price came: the balance, or a payment outside of it that the reference names. */
export const SUBSCRIPTION_PAYERS = ['balance', 'reference'] as const;

/** A quota of energy, valid for a while. Kept in energy, so that a fraction of a transaction is exact. */
export const Subscription = defineEntity({
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
    /** What it was sold for; null: given, or its price is not known here. */
    priceSun: p.bigint('bigint').nullable(),
    paidBy: p.enum(SUBSCRIPTION_PAYERS).nullable(),
  },
  indexes: [
    { name: 'subscriptions_created', properties: ['createdAt'] },
    { name: 'subscriptions_valid_until', properties: ['validUntil'] },
    { name: 'subscriptions_user_valid_until', properties: ['user', 'validUntil'] },
    { name: 'subscriptions_reference', properties: ['reference'], where: 'reference is not null' },
  ],
  uniques: [
    { name: 'subscriptions_reference_once', properties: ['user', 'reference'], where: 'reference is not null' },
  ],
  checks: [
    {
      name: 'subscriptions_price_paid',
      expression: '(price_sun is null) = (paid_by is null) and (price_sun is null or price_sun > 0)',
    },
    {
      name: 'subscriptions_quota_not_overdrawn',
      expression: 'used_energy >= 0 and held_energy >= 0 and used_energy + held_energy <= quota_energy',
    },
  ],
});

export const HOLD_STATES = ['held', 'taken', 'released'] as const;

/** What one order has promised to pay, money and quota together, so that both settle in one conditional update. */
export const Hold = defineEntity({
  name: 'Hold',
  tableName: 'holds',
  properties: {
    delegationId: p.uuid().primary(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    /** Money from the balance: the fee unless a subscription pays it, plus the activation. */
    amountSun: p.bigint('bigint'),
    subscription: () => p.manyToOne(Subscription).ref().nullable().deleteRule('restrict'),
    /** Quota from the subscription; 0 when the balance pays. */
    quotaEnergy: p.bigint('bigint').defaultRaw('0'),
    /** The day of the token that it came with (`token_days`): there it counts, and there a release gives back, whatever day that is. */
    tokenDayId: p.bigint('bigint').nullable(),
    /** What it counts there: its list price, which quota does not change. */
    countedSun: p.bigint('bigint').nullable(),
    /** The `max_cost` of its request. */
    maxCostSun: p.bigint('bigint').nullable(),
    state: p.enum(HOLD_STATES).default('held'),
    createdAt: p.datetime(6).defaultRaw('now()'),
    settledAt: p.datetime(6).nullable(),
  },
  indexes: [
    { name: 'holds_open_by_user', properties: ['user', 'delegationId'], where: "state = 'held'" },
    { name: 'holds_settled', properties: ['settledAt'], where: 'settled_at is not null' },
    { name: 'holds_subscription', properties: ['subscription'], where: 'subscription_id is not null' },
    { name: 'holds_token_day', properties: ['tokenDayId'], where: 'token_day_id is not null' },
  ],
  checks: [{ name: 'holds_amounts_not_negative', expression: 'amount_sun >= 0 and quota_energy >= 0' }],
});
