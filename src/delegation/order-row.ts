import type { OrderState } from '../common/order.states';
import type { Answer, Payer } from './order.entity';

/** Columns of `delegations` that an order is written with, and those that change later, each with its type. The rest follows from these. */
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
type Nullable =
  'idempotency_key' | 'reclaim_after_ms' | 'answer_code' | 'reclaim_due_at' | 'claimed_until' | 'last_error';
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
type Values<Columns extends Record<string, keyof Types>, Types extends InRows | InJson> = {
  readonly [Name in keyof Columns]:
    (Name extends keyof Words ? Words[Name] : Types[Columns[Name]]) | (Name extends Nullable ? null : never);
};

/** A row of `delegations` as the hand-written SQL sees it. */
export type OrderRow = Values<typeof WRITTEN & typeof CHANGED, InRows>;
/** An order as its insert takes it. */
export type WrittenOrder = Values<typeof WRITTEN, InJson>;

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
