import { defineEntity, p } from '@mikro-orm/core';
import { PoolWallet } from '../chain/pool/wallets/pool-wallet.entity';
import { utcMicroseconds } from '../database/utc-timestamp';
import { User } from '../users/user.entity';
import {
  COMMON_STATE,
  LENT_STATES,
  OPEN_STATES,
  ORDER_STATES,
  type OrderState,
  sqlList,
  TAKEN_BACK_STATES,
  UNCHARGED_STATES,
} from '../common/order.states';

export const ANSWERS = ['none', 'success', 'failure'] as const;
export type Answer = (typeof ANSWERS)[number];
export const PAYERS = ['subscription', 'balance'] as const;
export type Payer = (typeof PAYERS)[number];

const IS_UNCOMMON = `state <> '${COMMON_STATE}'`;

/** One order. */
const OrderSchema = defineEntity({
  name: 'Order',
  tableName: 'delegations',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    receiver: p.text(),
    /** The amount as asked for, an exact decimal. */
    transactions: p.text(),
    energy: p.bigint('bigint'),
    rentalMinutes: p.integer(),
    activate: p.boolean(),
    /** Used once: `order_keys` keeps its hash. */
    idempotencyKey: p.text().nullable(),

    state: p.enum(ORDER_STATES),
    wallet: () => p.manyToOne(PoolWallet).ref().deleteRule('restrict'),
    stakeSun: p.bigint('bigint'),
    /** What a success costs the caller, activation included; quota paid orders cost 0. */
    costSun: p.bigint('bigint'),
    paidBy: p.enum(PAYERS),
    /** This order pays for its receiver's activation. */
    activates: p.boolean().default(false),

    /** Committed before the first byte of it leaves; settling looks here and never guesses. */
    answer: p.enum(ANSWERS).default('none'),
    /** A failure's error code, or a success's `included` or `accepted`. */
    answerCode: p.text().nullable(),
    answeredAt: p.datetime(6).nullable(),

    /** The final block of the delegation: from it on the wallet's `max_size` already excludes this stake. */
    delegationBlock: p.bigint('bigint').nullable(),
    delegatedAt: p.datetime(6).nullable(),
    /** How long after its block its energy is taken back, as it was sold; null: by the settings of the instance that settles it. */
    reclaimAfterMs: p.bigint('bigint').nullable(),
    reclaimDueAt: p.datetime(6).nullable(),
    reclaimedAt: p.datetime(6).nullable(),
    /** Stake that was no longer there to take back: a finding. */
    shortageSun: p.bigint('bigint').defaultRaw('0'),

    // Work on an order is claimed, never owned: only the lease with the newest epoch may write.
    epoch: p.integer().default(0),
    claimedUntil: p.datetime(6).nullable(),
    /** How long that claim lasts: one that ends later than so from now was made while the database's clock was ahead. */
    claimMs: p.integer().nullable(),
    attempts: p.integer().default(0),
    nextAttemptAt: p.datetime(6).nullable(),
    /** A node did not find its stake in full: reclaim and choice of a wallet go by it (closed-pairs.ts). */
    stakeMissing: p.boolean().default(false),
    /** The database may lack its undelegation: the chain is asked first. Only with `stakeMissing`. */
    stakeDoubted: p.boolean().default(false),
    /** Why the last attempt at a reclaim failed. */
    lastError: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    { name: 'delegations_user_page', properties: ['user', 'createdAt', 'id'] },
    { name: 'delegations_page', properties: ['createdAt', 'id'] },
    { name: 'delegations_user_state', properties: ['user', 'state', 'createdAt', 'id'], where: IS_UNCOMMON },
    { name: 'delegations_user_reclaimed', properties: ['user', 'createdAt', 'id'], where: `state = '${COMMON_STATE}'` },
    { name: 'delegations_uncommon_state', properties: ['state', 'createdAt', 'id'], where: IS_UNCOMMON },
    { name: 'delegations_receiver', properties: ['receiver', 'createdAt'] },
    {
      name: 'delegations_receiver_beginning',
      expression: 'create index delegations_receiver_beginning on delegations (left(receiver, 8) text_pattern_ops)',
    },
    {
      name: 'delegations_live_by_wallet',
      properties: ['wallet', 'state', 'stakeSun'],
      where: `state in ${sqlList([...OPEN_STATES, ...LENT_STATES])}`,
    },
    {
      name: 'delegations_wallet_block',
      properties: ['wallet', 'delegationBlock', 'stakeSun'],
      where: 'delegation_block is not null',
    },
    {
      name: 'delegations_reclaim_due',
      properties: ['reclaimDueAt'],
      where: `state in ${sqlList(LENT_STATES)}`,
    },
    {
      name: 'delegations_missing_stake',
      properties: ['wallet', 'receiver'],
      where: `state in ${sqlList(LENT_STATES)} and stake_missing`,
    },
    {
      name: 'delegations_unpaid_activations',
      properties: ['user'],
      where: `activates and state in ${sqlList(UNCHARGED_STATES)}`,
    },
    {
      name: 'delegations_taken_back',
      properties: ['reclaimedAt'],
      where: `state in ${sqlList(TAKEN_BACK_STATES)}`,
    },
  ],
  checks: [
    { name: 'delegations_amounts', expression: 'energy > 0 and stake_sun > 0 and cost_sun >= 0 and shortage_sun >= 0' },
    { name: 'delegations_doubted_is_missing', expression: 'stake_missing or not stake_doubted' },
  ],
});

export class Order extends OrderSchema.class {}
OrderSchema.setClass(Order);

/** Columns of `delegations` that an order is written with, those that change later, and times that only look-up reads. */
const WRITTEN = {
  id: 'uuid',
  user_id: 'uuid',
  receiver: 'text',
  transactions: 'text',
  energy: 'bigint',
  rental_minutes: 'integer',
  activate: 'boolean',
  idempotency_key: 'text',
  state: 'text',
  wallet_id: 'uuid',
  stake_sun: 'bigint',
  activates: 'boolean',
  reclaim_after_ms: 'bigint',
} as const;
const CHANGED = {
  cost_sun: 'bigint',
  paid_by: 'text',
  answer: 'text',
  answer_code: 'text',
  reclaim_due_at: 'timestamptz',
  shortage_sun: 'bigint',
  epoch: 'integer',
  claimed_until: 'timestamptz',
  attempts: 'integer',
  stake_missing: 'boolean',
  last_error: 'text',
} as const;
const TIMES = {
  created_at: 'timestamptz',
  answered_at: 'timestamptz',
  delegated_at: 'timestamptz',
  reclaimed_at: 'timestamptz',
} as const;
const COLUMNS = { ...WRITTEN, ...CHANGED, ...TIMES };
/** Columns that look-up shows to an order's caller, or to operators. */
const SHOWN = [
  'id',
  'user_id',
  'receiver',
  'transactions',
  'energy',
  'rental_minutes',
  'stake_sun',
  'state',
  'answer',
  'answer_code',
  'cost_sun',
  'paid_by',
  'wallet_id',
  'shortage_sun',
  'last_error',
  'idempotency_key',
  'created_at',
  'answered_at',
  'delegated_at',
  'reclaim_due_at',
  'reclaimed_at',
] as const satisfies readonly (keyof typeof COLUMNS)[];
type Nullable =
  | 'idempotency_key'
  | 'reclaim_after_ms'
  | 'answer_code'
  | 'reclaim_due_at'
  | 'claimed_until'
  | 'last_error'
  | 'answered_at'
  | 'delegated_at'
  | 'reclaimed_at';
/** Columns with fewer values than their type has. */
interface Words {
  readonly state: OrderState;
  readonly paid_by: Payer;
  readonly answer: Answer;
}

interface InRows {
  readonly uuid: string;
  readonly text: string;
  readonly bigint: bigint;
  readonly integer: number;
  readonly boolean: boolean;
  readonly timestamptz: Date;
}
/** JSON has no bigint. */
type InJson = Omit<InRows, 'bigint'> & { readonly bigint: string };
/** With the microseconds that a Date would cut off. */
type InViews = Omit<InRows, 'timestamptz'> & { readonly timestamptz: string };
type ColumnValues<Columns extends Record<string, keyof Types>, Types extends InRows | InJson | InViews> = {
  readonly [Name in keyof Columns]:
    | (Name extends keyof Words ? Words[Name] : Types[Columns[Name]])
    | (Name extends Nullable ? null : never);
};

/** A row of `delegations` as the hand-written SQL sees it. */
export type OrderRow = ColumnValues<typeof WRITTEN & typeof CHANGED, InRows>;
/** An order as its insert takes it. */
export type InsertedOrder = ColumnValues<typeof WRITTEN, InJson>;
export type ShownOrder = ColumnValues<Pick<typeof COLUMNS, (typeof SHOWN)[number]>, InViews>;

const listed = (columns: object, prefix: string) =>
  Object.keys(columns)
    .map((name) => `${prefix}${name}`)
    .join(', ');

/** Named one by one: a statement that is planned already would fail if a new column changed what it gives. */
export const ORDER_COLUMNS = listed({ ...WRITTEN, ...CHANGED }, 'd.');
export const writtenColumns = (prefix = '') => listed(WRITTEN, prefix);
export const WRITTEN_TYPES = Object.entries(WRITTEN)
  .map((column) => column.join(' '))
  .join(', ');
/** The columns of the table `d` as they are shown, the cost as this SQL has it. */
export function shownColumns(cost: string): string {
  const shownAs = (name: (typeof SHOWN)[number]) => {
    if (name === 'cost_sun') return `${cost} as cost_sun`;
    return COLUMNS[name] === 'timestamptz' ? `${utcMicroseconds(`d.${name}`)} as ${name}` : `d.${name}`;
  };
  return SHOWN.map(shownAs).join(', ');
}
export const SHOWN_AS_THEY_ARE = SHOWN.map((name) => `d.${name}`).join(', ');
