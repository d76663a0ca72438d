import { Injectable } from '@nestjs/common';
import type { KeyedWallet } from '../chain/pool/wallets/wallet-row';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import {
  CLAIM_PLANNED,
  CLAIM_TIMES,
  CLAIMED,
  CLAIMED_BY_NAME,
  DEAD,
  DECIDE_RESTAKE,
  DROPPED,
  FAIL_LATE,
  FAIL_PLANNED,
  FAIL_RESTORED,
  FAIL_WHERE_RESTORED,
  FINAL,
  GIVE_UP_UNPAID,
  INCLUDED,
  IS_TRIED,
  LAST_FINAL,
  LIST_OPERATIONS,
  LOCK_FREE,
  LOST_VOTE,
  NOTE_ERROR,
  OPERATION,
  PAID,
  PLAN,
  REFUSED,
  RELEASE,
  REWARDS,
  SENT,
  SIGNED,
  UNPAID,
  WITHDRAWN,
} from './operation.statements';
import type { OperationKind, OperationRow, ResourceName, Votes } from './stake-operation';

const RESTORED = 'planned before this database was restored or copied: what was wanted then may be done';

export interface NewOperation {
  readonly id: string;
  readonly walletId: string;
  readonly kind: OperationKind;
  readonly resource: ResourceName | null;
  readonly amountSun: bigint | null;
  readonly votes: Votes | null;
  readonly occasion: string | null;
  /** Where the act came from, or which part of the service acts. */
  readonly requestedBy: string;
  /** A user of the panel, where one asks. */
  readonly actorId: string | null;
}

/** What claims have brought, and in how long. */
export interface ClaimTimes {
  readonly sun: bigint;
  readonly elapsed_ms: bigint;
}

/** The tables `stake_operations` and `stake_rewards`. */
@Injectable()
export class OperationRepository {
  constructor(private readonly sql: Sql) {}

  /** False while another one of its kind is open, or when it was tried for its occasion. */
  async plan(tx: SqlTransaction, operation: NewOperation, leaseMs: number): Promise<boolean> {
    const { id, walletId, kind, resource, amountSun, votes, occasion, requestedBy, actorId } = operation;
    const asJson = votes && JSON.stringify(votes);
    const values = [id, walletId, kind, resource, amountSun, asJson, occasion, requestedBy, leaseMs, actorId] as const;
    return (await tx.row(PLAN, [...values])) !== null;
  }

  find(id: string, db: Queryable = this.sql): Promise<OperationRow | null> {
    return db.row(OPERATION, [id]);
  }

  /** Newest first. */
  list(name: string | null, limit: number | null): Promise<OperationRow[]> {
    return this.sql.rows(LIST_OPERATIONS, [name, limit]);
  }

  async lastFinal(walletId: string): Promise<ReadonlyMap<OperationKind, OperationRow>> {
    return new Map((await this.sql.rows(LAST_FINAL, [walletId])).map((row) => [row.kind, row]));
  }

  /** It was tried for this occasion, or another one of its kind is open. */
  async isTried(walletId: string, kind: OperationKind, occasion: string): Promise<boolean> {
    return (await this.sql.row(IS_TRIED, [walletId, kind, occasion])) !== null;
  }

  /** Why the newest vote that was signed came to nothing, if it did: the power that it went by may be a node's lie. */
  lostVote(walletId: string): Promise<{ readonly error: string | null } | null> {
    return this.sql.row(LOST_VOTE, [walletId]);
  }

  claimPlanned(leaseMs: number): Promise<OperationRow[]> {
    return this.sql.rows(CLAIM_PLANNED, [leaseMs]);
  }

  async release(id: string): Promise<void> {
    await this.sql.execute(RELEASE, [id]);
  }

  async failLate(): Promise<void> {
    await this.sql.rows(FAIL_WHERE_RESTORED, [RESTORED]);
    await this.sql.rows(FAIL_LATE);
  }

  /** With the decision that this restored database is the one to go on with. Gives their number. */
  async failRestored(tx: SqlTransaction): Promise<number> {
    return (await tx.rows(FAIL_RESTORED, [RESTORED])).length;
  }

  /** Those that were final before this block time. */
  async giveUpUnpaid(beforeMs: number): Promise<number> {
    return (await this.sql.rows(GIVE_UP_UNPAID, [beforeMs])).length;
  }

  async failPlanned(id: string, error: string): Promise<void> {
    await this.sql.execute(FAIL_PLANNED, [id, error]);
  }

  async noteError(id: string, error: string): Promise<void> {
    await this.sql.execute(NOTE_ERROR, [id, error]);
  }

  /** False when another process has signed it, or it may not be signed by this key any more. */
  async signed(tx: SqlTransaction, id: string, txId: string, key: KeyedWallet): Promise<boolean> {
    return (await tx.execute(SIGNED, [id, txId, key.key_source, key.permission_id])) === 1;
  }

  async sent(id: string): Promise<void> {
    await this.sql.execute(SENT, [id]);
  }

  async refused(id: string, error: string): Promise<void> {
    await this.sql.execute(REFUSED, [id, error]);
  }

  async lockFree(tx: SqlTransaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await tx.rows(LOCK_FREE, [ids])).map(({ id }) => id));
  }

  async included(tx: SqlTransaction, ids: readonly string[]): Promise<void> {
    await tx.execute(INCLUDED, [ids]);
  }

  async dropped(tx: SqlTransaction, id: string): Promise<void> {
    await tx.execute(DROPPED, [id]);
  }

  async final(tx: SqlTransaction, id: string, block: bigint, blockMs: number): Promise<void> {
    await tx.execute(FINAL, [id, block, blockMs]);
  }

  async dead(tx: SqlTransaction, id: string): Promise<void> {
    await tx.execute(DEAD, [id]);
  }

  /** Final ones of which it is not known what they have brought. */
  unpaid(): Promise<OperationRow[]> {
    return this.sql.rows(UNPAID);
  }

  async paid(id: string, receivedSun: bigint): Promise<void> {
    await this.sql.execute(PAID, [id, receivedSun]);
  }

  /** Null where it is not known. */
  async withdrawn(walletId: string, atMs: number): Promise<bigint | null> {
    return (await this.sql.row(WITHDRAWN, [walletId, atMs]))!.sun;
  }

  /** As it was decided, by this process or by another one before. */
  async decideRestake(id: string, energySun: bigint, bandwidthSun: bigint): Promise<OperationRow> {
    await this.sql.execute(DECIDE_RESTAKE, [id, energySun, bandwidthSun]);
    return (await this.find(id))!;
  }

  /** By wallet. */
  async claimed(): Promise<ReadonlyMap<string, bigint>> {
    return new Map((await this.sql.rows(CLAIMED)).map((row) => [row.wallet_id, row.total_sun]));
  }

  claimedByName(): Promise<{ readonly wallet: string; readonly sun: bigint }[]> {
    return this.sql.rows(CLAIMED_BY_NAME);
  }

  /** By wallet. */
  async claimTimes(): Promise<ReadonlyMap<string, ClaimTimes>> {
    return new Map((await this.sql.rows(CLAIM_TIMES)).map((row) => [row.wallet_id, row]));
  }

  /** What a wallet has claimed on each of its last days with a claim, the newest first. */
  rewards(walletId: string, days: number): Promise<{ readonly day: string; readonly claimed_sun: bigint }[]> {
    return this.sql.rows(REWARDS, [walletId, days]);
  }
}
