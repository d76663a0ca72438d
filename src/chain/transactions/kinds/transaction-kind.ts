import type { SqlTransaction } from '../../../database/sql';
import type { DecidedRow, DroppedRow, OutboxRow } from '../outbox/outbox-row';
import type { KeyRole } from '../signing/wallet-role';
import type { Contract, ContractValues } from './contract';

/** What its transactions are. The room that has them signed registers it (transaction-kinds.ts); no other file names it. */
export interface TransactionKind {
  /** As rows name it (`chain_transactions.purpose`). */
  readonly name: string;
  /** What its transactions belong to (`subject_kind`); `subject_id` says which. */
  readonly subject: string;
  readonly contract: Contract;
  /** The key that signs it; null: no key that the service has. */
  readonly role: KeyRole | null;
  /** The key may lack its operation: then the network refuses those that an operator asks for. */
  readonly isOptional?: boolean;
  /** It takes back what is ours: signed also with a key that `POWERFUL_KEYS=refuse` lets sign nothing new. */
  readonly takesBack?: boolean;
  /** Names of the fields that its row shows as receiver and amount. */
  readonly receiver?: string;
  readonly amount?: string;
  /** Fields that are the same in each of them, whatever is asked for. */
  readonly fixed?: ContractValues;
  /**
   * Its bytes may be sent again by the follower, at any time, or only once the order that they belong to is answered with success. A row
   * can be withdrawn from that (`resend` false).
   */
  readonly resent: 'always' | 'once answered';
  /** The unique index that refuses a second one beside it. */
  readonly alone: string;
  /** Its place in its final block is kept, to be proved to others. */
  readonly isProved?: boolean;
  /** What it does to its wallet's account besides the fee for its bytes. */
  readonly effect?: (amountSun: bigint) => Partial<TransactionEffect>;
}

export interface TransactionEffect {
  /** Less than zero: taken back. */
  readonly lentSun: bigint;
  readonly paidSun: bigint;
  /** Staked for each resource; less than zero: unfrozen. */
  readonly energySun: bigint;
  readonly bandwidthSun: bigint;
  /** It may stake again whatever is being unfrozen. */
  readonly restakes: boolean;
}

export type Outcome = 'included' | 'dropped' | 'final' | 'dead';

/**
 * What the room of a kind does about an outcome. Each method runs in the database transaction that records the outcome, so that
 * money and states change together with it or not at all. Called once per outcome, with all rows of a block that are recorded together.
 */
export interface OutcomeListener {
  /** Locks what the outcome will change, without waiting, and gives the rows for which it got every lock. */
  lock(tx: SqlTransaction, outcome: Outcome, rows: readonly DecidedRow[]): Promise<readonly DecidedRow[]>;
  /** Waits for a locked account. Called first in its transaction, which holds no other lock while it waits. */
  awaitPayer?(tx: SqlTransaction, userId: string): Promise<void>;
  included(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void>;
  /** A fork dropped the block. */
  dropped(tx: SqlTransaction, row: DroppedRow): Promise<void>;
  final(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void>;
  dead(tx: SqlTransaction, row: OutboxRow): Promise<void>;
  /**
   * Whether readings of every node agree that this transaction has landed, or has not, by the time of this block, which cannot be proved.
   * Without it an operator decides.
   */
  agrees?(row: OutboxRow, hasLanded: boolean, number: number): Promise<boolean>;
}
