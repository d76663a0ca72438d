import { defineEntity, p } from '@mikro-orm/core';
import { ApiToken } from '../auth/auth.entities';
import { PoolWallet } from '../chain/pool/wallets/pool-wallet.entity';
import { PAYERS } from '../delegation/order.entity';
import { User } from '../users/user.entity';
import type { OutageCause } from './service-record/outage-cause';

/** Sums over orders, each a column. */
const sums = () => ({
  orders: p.bigint('bigint'),
  /** Answered so. */
  succeeded: p.bigint('bigint'),
  failed: p.bigint('bigint'),
  chargedSun: p.bigint('bigint'),
  /** Lent to receivers. */
  energy: p.bigint('bigint'),
  /** Delegations that are on the chain: each has a reclaim. */
  landed: p.bigint('bigint'),
  activations: p.bigint('bigint'),
  /** What those transferred, without the network's fees. */
  activatedSun: p.bigint('bigint'),
});

/** What became of the orders of one UTC day, by customer and payer. Written when the day is closed; late orders are added. */
export const OrderDay = defineEntity({
  name: 'OrderDay',
  tableName: 'order_days',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    day: p.date(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    paidBy: p.enum(PAYERS),
    ...sums(),
  },
  indexes: [{ name: 'order_days_user', properties: ['user', 'day'] }],
  uniques: [{ name: 'order_days_day_user_payer', properties: ['day', 'user', 'paidBy'] }],
});

/** The sums of `order_days` over all customers; triggers keep them. */
export const OrderDayTotal = defineEntity({
  name: 'OrderDayTotal',
  tableName: 'order_day_totals',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    day: p.date(),
    paidBy: p.enum(PAYERS),
    ...sums(),
  },
  uniques: [{ name: 'order_day_totals_day_payer', properties: ['day', 'paidBy'] }],
});

/** The sums of `order_days` by month; triggers keep them. */
export const OrderMonth = defineEntity({
  name: 'OrderMonth',
  tableName: 'order_months',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    /** Its first day. */
    month: p.date(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    paidBy: p.enum(PAYERS),
    ...sums(),
  },
  uniques: [{ name: 'order_months_month_user_payer', properties: ['month', 'user', 'paidBy'] }],
});

/** A UTC day whose orders are in `order_days`, but for late ones, and with it every day before. */
export const ClosedOrderDay = defineEntity({
  name: 'ClosedOrderDay',
  tableName: 'closed_order_days',
  properties: {
    day: p.date().primary(),
    closedAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** An order of a closed day that is not settled yet: not in its day's sums, but counted by itself until it is. */
export const LateOrder = defineEntity({
  name: 'LateOrder',
  tableName: 'late_orders',
  properties: {
    /** Id of the order. */
    id: p.uuid().primary(),
    day: p.date(),
  },
});

/** How the service served all customers on one UTC day: of a closed day its settled orders; refused attempts as they come. */
export const ServiceDay = defineEntity({
  name: 'ServiceDay',
  tableName: 'service_days',
  properties: {
    day: p.date().primary(),
    /** Without those that were answered with a code of the caller's own. */
    orders: p.bigint('bigint').defaultRaw('0'),
    /** Came to nothing. */
    failed: p.bigint('bigint').defaultRaw('0'),
    /** Attempts that the service refused for its own reasons, without a row of their own. */
    refused: p.bigint('bigint').defaultRaw('0'),
  },
  checks: [{ name: 'service_days_counts', expression: 'orders >= failed and failed >= 0 and refused >= 0' }],
});

/** How many orders of a closed UTC day took about so long until they were in a block (`inclusion-bucket.ts`). */
export const InclusionDay = defineEntity({
  name: 'InclusionDay',
  tableName: 'inclusion_days',
  properties: {
    day: p.date().primary(),
    bucket: p.integer().primary().autoincrement(false),
    orders: p.bigint('bigint'),
  },
});

/** A time in which no orders were taken, but for pauses by the switch, which the audit log has. */
export const Outage = defineEntity({
  name: 'Outage',
  tableName: 'outages',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    cause: p.enum(['down', 'energy', 'chain', 'restored'] satisfies OutageCause[]),
    begunAt: p.datetime(6),
    /** When it was last seen; of `down` when it was over. */
    seenAt: p.datetime(6),
  },
});

/** One row: when an instance last reached the database. */
export const ServiceBeat = defineEntity({
  name: 'ServiceBeat',
  tableName: 'service_beat',
  properties: {
    id: p.integer().primary().autoincrement(false),
    seenAt: p.datetime(6),
  },
  checks: [{ name: 'service_beat_single_row', expression: 'id = 1' }],
});

/** What a wallet had staked on a closed UTC day, and what its orders of that day have brought so far: those that were charged. */
export const WalletDay = defineEntity({
  name: 'WalletDay',
  tableName: 'wallet_days',
  properties: {
    day: p.date().primary(),
    wallet: () => p.manyToOne(PoolWallet).primary().ref().updateRule('no action').deleteRule('restrict'),
    /** For energy and bandwidth together, as it was read last when the day was closed. */
    stakedSun: p.bigint('bigint'),
    orders: p.bigint('bigint'),
    /** What balances paid, and for how much energy. */
    chargedSun: p.bigint('bigint'),
    paidEnergy: p.bigint('bigint'),
    /** Energy of quota whose price is not known. */
    quotaEnergy: p.bigint('bigint'),
    /** What was paid for the rest of the quota. */
    soldSun: p.bigint('bigint'),
    /** The stake whose energy they took. */
    lentSun: p.bigint('bigint'),
  },
});

/** What was ordered in an hour of a closed UTC day, whatever became of it. */
export const DemandHour = defineEntity({
  name: 'DemandHour',
  tableName: 'demand_hours',
  properties: {
    /** Its first moment. */
    at: p.datetime(6).primary(),
    orders: p.bigint('bigint'),
    energy: p.bigint('bigint'),
  },
});

/** What the transactions of a wallet burned for their bytes on one UTC day, as nodes say; activations are left out. */
export const BurnedDay = defineEntity({
  name: 'BurnedDay',
  tableName: 'burned_days',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    /** The day of their blocks. */
    day: p.date(),
    wallet: () => p.manyToOne(PoolWallet).ref().deleteRule('restrict'),
    /** A node has said what they burned, or their wallet's reading shows that stake has paid. */
    transactions: p.bigint('bigint'),
    /** Those of them that burned TRX. */
    burning: p.bigint('bigint'),
    burnedSun: p.bigint('bigint'),
    /** No node has said what they burned. */
    unread: p.bigint('bigint'),
  },
  uniques: [{ name: 'burned_days_day_wallet', properties: ['day', 'wallet'] }],
  checks: [
    {
      name: 'burned_days_amounts',
      expression: 'transactions >= burning and burning >= 0 and burned_sun >= 0 and unread >= 0',
    },
  ],
});

/** One row: up to which chain transaction burned fees were read. */
export const BurnedMark = defineEntity({
  name: 'BurnedMark',
  tableName: 'burned_mark',
  properties: {
    id: p.integer().primary().autoincrement(false),
    transactionId: p.bigint('bigint'),
    /** One instance reads at a time. */
    claimedUntil: p.datetime(6).nullable(),
  },
  checks: [{ name: 'burned_mark_single_row', expression: 'id = 1' }],
});

/** How often a customer's orders were refused for one reason on one UTC day, without a row of their own. */
export const RefusedAttemptDay = defineEntity({
  name: 'RefusedAttemptDay',
  tableName: 'refused_attempt_days',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    day: p.date(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    /** As in `X-Error-Code`. */
    code: p.text(),
    attempts: p.bigint('bigint'),
  },
  indexes: [{ name: 'refused_attempt_days_user', properties: ['user', 'day'] }],
  uniques: [{ name: 'refused_attempt_days_day_user_code', properties: ['day', 'user', 'code'] }],
  checks: [{ name: 'refused_attempt_days_positive', expression: 'attempts > 0' }],
});

/** One of the newest attempts of a customer that were refused; equal ones of a moment are one row. */
export const RefusedAttemptRow = defineEntity({
  name: 'RefusedAttemptRow',
  tableName: 'refused_attempts',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    token: () => p.manyToOne(ApiToken).ref().nullable().deleteRule('restrict'),
    firstAt: p.datetime(6),
    lastAt: p.datetime(6),
    times: p.bigint('bigint'),
    code: p.text(),
    /** The names of the fields that were wrong, never their values. */
    fields: p.array().nullable(),
    /** Null unless it has an address's form: anything may stand in a call. */
    receiver: p.text().nullable(),
    amount: p.text().nullable(),
    /** Id of the last attempt's request, as in `X-Request-Id`. */
    requestId: p.text().nullable(),
  },
  indexes: [
    { name: 'refused_attempts_user_page', properties: ['user', 'id'] },
    { name: 'refused_attempts_age', properties: ['lastAt'] },
    { name: 'refused_attempts_request', properties: ['requestId'], where: 'request_id is not null' },
  ],
  checks: [
    {
      name: 'refused_attempts_lengths',
      expression: 'length(receiver) <= 34 and length(amount) <= 30 and length(request_id) <= 128 and times > 0',
    },
  ],
});
