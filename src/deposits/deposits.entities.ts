import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';
import { ASSETS, DEPOSIT_STATES, WAITING_FOR } from './deposit-states';

/** The address of an account (`DEPOSIT_XPUB`) that belongs to one customer. */
export const DepositAddress = defineEntity({
  name: 'DepositAddress',
  tableName: 'deposit_addresses',
  properties: {
    /** base58check. */
    address: p.text().primary(),
    /** The same as `41…`, as blocks have it. */
    hex: p.text().unique('deposit_addresses_hex'),
    /** The account's fingerprint: the setting may name another account some day. */
    account: p.text(),
    /** The i of 0/i. */
    number: p.integer(),
    /** Null: left out, because a row that named a customer may be lost (a restored database). */
    user: () =>
      p.oneToOne(User).ref().owner().nullable().deleteRule('restrict').unique('deposit_addresses_one_per_user'),
    createdAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** When it was last asked what the address holds, and what of that no deposit explains. */
    readAt: p.datetime(6).nullable(),
    unexplainedSun: p.bigint('bigint').defaultRaw('0'),
    unexplainedUsdt: p.bigint('bigint').defaultRaw('0'),
    unexplainedSince: p.datetime(6).nullable(),
  },
  checks: [{ name: 'deposit_addresses_number', expression: 'number >= 0' }],
  indexes: [
    {
      name: 'deposit_addresses_reading',
      expression: 'create index "deposit_addresses_reading" on "deposit_addresses" (read_at nulls first, address)',
    },
  ],
  uniques: [{ name: 'deposit_addresses_number_once', properties: ['account', 'number'] }],
});

/** A transfer to such an address, from the first block that shows it on. */
export const Deposit = defineEntity({
  name: 'Deposit',
  tableName: 'deposits',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    address: () =>
      p.manyToOne(DepositAddress).ref().fieldName('address').updateRule('no action').deleteRule('restrict'),
    asset: p.enum(ASSETS),
    /** In the asset's smallest unit: sun, or millionths of USDT. */
    amount: p.bigint('bigint'),
    /** Null: an operator has credited what a contract paid. */
    txid: p.text().nullable(),
    /** Which of the transaction's transfers. */
    index: p.integer().nullable(),
    state: p.enum(DEPOSIT_STATES),
    /** Its block is final. A credit follows in a transaction of its own: until then it is shown as seen. */
    isFinal: p.boolean().default(false),
    blockNumber: p.bigint('bigint').nullable(),
    blockId: p.text().nullable(),
    blockAt: p.datetime(3).nullable(),
    /** Sun for one USDT, as it was in force when the block was made. */
    rateSun: p.bigint('bigint').nullable(),
    /** The sun that a credit brings, decided with the final block. */
    creditSun: p.bigint('bigint').nullable(),
    waitsFor: p.enum(WAITING_FOR).nullable(),
    /** The operator's. */
    note: p.text().nullable(),
    seenAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    creditedAt: p.datetime(6).nullable(),
  },
  checks: [
    { name: 'deposits_amount_positive', expression: 'amount > 0' },
    { name: 'deposits_credit_positive', expression: 'credit_sun > 0' },
    { name: 'deposits_credited', expression: `(state = 'credited') = (credited_at is not null)` },
    {
      name: 'deposits_credited_is_final',
      expression: `is_final or state in ('seen', 'dropped')`,
    },
    { name: 'deposits_credited_has_amount', expression: `state <> 'credited' or credit_sun is not null` },
    { name: 'deposits_transfer', expression: '(txid is null) = (index is null)' },
    { name: 'deposits_waits', expression: `(state = 'waiting') = (waits_for is not null)` },
  ],
  indexes: [
    { name: 'deposits_address', properties: ['address'] },
    { name: 'deposits_due', properties: ['blockNumber', 'id'], where: `state = 'seen' and is_final` },
    { name: 'deposits_undecided', properties: ['blockNumber'], where: `state = 'seen' and not is_final` },
    { name: 'deposits_user_page', properties: ['user', 'id'] },
    { name: 'deposits_waiting', properties: ['id'], where: `state = 'waiting'` },
  ],
  uniques: [{ name: 'deposits_once', properties: ['txid', 'index'] }],
});

/** A transfer in a final block to an address that no customer has by the rows: a restored database may have lost whose it is. */
export const LeftOutPayment = defineEntity({
  name: 'LeftOutPayment',
  tableName: 'left_out_payments',
  properties: {
    txid: p.text().primary(),
    index: p.integer().primary(),
    address: () =>
      p.manyToOne(DepositAddress).ref().fieldName('address').updateRule('no action').deleteRule('restrict'),
    asset: p.enum(ASSETS),
    amount: p.bigint('bigint'),
    blockNumber: p.bigint('bigint'),
    foundAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
  checks: [{ name: 'left_out_payments_positive', expression: 'amount > 0' }],
  indexes: [{ name: 'left_out_payments_block', properties: ['blockNumber'] }],
});

/** What a USDT counts, from then on: append-only. Null: nothing, until the next one. */
export const DepositRate = defineEntity({
  name: 'DepositRate',
  tableName: 'deposit_rates',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    since: p.datetime(6).defaultRaw('clock_timestamp()'),
    sunPerUsdt: p.bigint('bigint').nullable(),
  },
  checks: [{ name: 'deposit_rates_positive', expression: 'sun_per_usdt > 0' }],
  indexes: [{ name: 'deposit_rates_since', properties: ['since', 'id'] }],
});
