import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';

export const Account = defineEntity({
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

/** `quota`: prepaid quota that was sold; `refund`: TRX that an operator has sent back on the chain. */
export const LEDGER_KINDS = ['credit', 'debit', 'charge', 'deposit', 'quota', 'refund'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/**
 * Append-only: a trigger refuses update, delete and truncate. Others refuse an `id` or `at` that is given, and at commit
 * an entry that is not the balance before it and its amount, or whose balance is not its account's.
 */
export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entries',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    /** The clock's when it is written, whatever the default says (a trigger). */
    at: p.datetime(6).defaultRaw('now()'),
    kind: p.enum(LEDGER_KINDS),
    /** Signed: a charge is negative. */
    amountSun: p.bigint('bigint'),
    /** The balance after this entry. */
    balanceSun: p.bigint('bigint'),
    delegationId: p.uuid().nullable(),
    /** The operator's own name for a movement, of a refund the transfer's txid: the same one twice moves money once. */
    reference: p.text().nullable(),
    note: p.text().nullable(),
    /** What a `quota` entry has paid, and the `credit` before it where that price was paid outside of the balance. */
    subscriptionId: p.uuid().nullable(),
  },
  indexes: [
    { name: 'ledger_entries_user_page', properties: ['user', 'id'] },
    { name: 'ledger_entries_user_time', properties: ['user', 'at', 'id'] },
    { name: 'ledger_entries_time', properties: ['at', 'id'] },
    { name: 'ledger_entries_reference', properties: ['reference'], where: 'reference is not null' },
  ],
  uniques: [
    { name: 'ledger_entries_one_charge_per_delegation', properties: ['delegationId'], where: "kind = 'charge'" },
    { name: 'ledger_entries_one_per_deposit', properties: ['reference'], where: "kind = 'deposit'" },
    { name: 'ledger_entries_one_refund_per_txid', properties: ['reference'], where: "kind = 'refund'" },
    { name: 'ledger_entries_one_sale_per_subscription', properties: ['subscriptionId'], where: "kind = 'quota'" },
    { name: 'ledger_entries_reference_once', properties: ['user', 'reference'], where: 'reference is not null' },
  ],
  checks: [
    { name: 'ledger_entries_balance_not_negative', expression: 'balance_sun >= 0' },
    { name: 'ledger_entries_amount_not_zero', expression: 'amount_sun <> 0' },
    {
      name: 'ledger_entries_quota_of_subscription',
      expression: "kind <> 'quota' or subscription_id is not null",
    },
    {
      name: 'ledger_entries_refund_by_txid',
      expression: "kind <> 'refund' or (reference is not null and reference ~ '^[0-9a-f]{64}$')",
    },
    { name: 'ledger_entries_sign', expression: "(kind in ('credit', 'deposit')) = (amount_sun > 0)" },
  ],
});
