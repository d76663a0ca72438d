import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';
import { Subscription } from './subscription.entity';

export const HOLD_STATES = ['held', 'taken', 'released'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

/** What one order has promised to pay, money and quota together, so that both settle in one conditional update. */
const HoldSchema = defineEntity({
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
    { name: 'holds_subscription', properties: ['subscription'], where: 'subscription_id is not null' },
    { name: 'holds_token_day', properties: ['tokenDayId'], where: 'token_day_id is not null' },
  ],
  checks: [{ name: 'holds_amounts_not_negative', expression: 'amount_sun >= 0 and quota_energy >= 0' }],
});

export class Hold extends HoldSchema.class {}
HoldSchema.setClass(Hold);
