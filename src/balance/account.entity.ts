import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';

const AccountSchema = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    user: () => p.oneToOne(User).primary().ref().owner().deleteRule('restrict'),
    /** The sum of the account's ledger entries: at commit a trigger compares it with the last one's balance. */
    balanceSun: p.bigint('bigint').defaultRaw('0'),
    /** The part of the balance promised to orders that are not settled yet. */
    heldSun: p.bigint('bigint').defaultRaw('0'),
    /** Variant B, sun per transaction; null: the configured default. */
    unitPriceSun: p.bigint('bigint').nullable(),
    /** The last change of what can be spent: balance less holds. */
    updatedAt: p.datetime(6).defaultRaw('now()'),
    /** Below it, webhooks and panel say so; null: never. */
    lowBalanceSun: p.bigint('bigint').nullable(),
    /** Since when what can be spent is below it; a trigger keeps it, and writes the event with it. */
    lowSince: p.datetime(6).nullable(),
    /** When its webhooks were sent that last, or will be; the same trigger keeps it. */
    lowToldAt: p.datetime(6).nullable(),
  },
  checks: [
    { name: 'accounts_balance_not_negative', expression: 'balance_sun >= 0' },
    { name: 'accounts_held_within_balance', expression: 'held_sun >= 0 and held_sun <= balance_sun' },
    { name: 'accounts_unit_price_bounds', expression: 'unit_price_sun >= 2000000 and unit_price_sun <= 2500000' },
    { name: 'accounts_low_balance_not_negative', expression: 'low_balance_sun >= 0' },
  ],
});

export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account);
