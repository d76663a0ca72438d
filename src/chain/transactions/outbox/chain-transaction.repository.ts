import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type SqlTransaction } from '../../../database/sql';
import type { BlockHeader } from '../../proof/block-header';
import type { Inclusion } from '../../proof/block-transactions';
import { encodeBranch } from '../../verified-chain/receipts/stored-branch';
import {
  ANY_OPEN,
  CLAIM_RESENDS,
  DROPPED_IN,
  EXPIRED_OPEN,
  IN_BLOCKS_AMONG,
  INCLUDED_BLOCKS,
  INSERT,
  KNOWN_AMONG,
  LOCK_OPEN,
  MARK_ANSWERED,
  MARK_DEAD,
  MARK_DROPPED,
  MARK_FINAL,
  MARK_INCLUDED,
  OPEN_AMONG,
  OPEN_WITH_PAYERS,
  LOWEST_OPEN_BLOCK,
} from './chain-transaction.statements';
import type { DroppedRow, LockedRow, OpenWithPayer, OutboxRow, SignedRow } from './outbox-row';

interface RecordedIn {
  readonly txId: string;
  readonly block: { readonly number: number; readonly id: string };
  readonly isFinal: boolean;
}

/** The table `chain_transactions`. Open: neither final nor dead. */
@Injectable()
export class ChainTransactionRepository {
  constructor(private readonly sql: Sql) {}

  /** Leaves out those of an order without a row; gives the number of those that were saved. */
  insert(tx: SqlTransaction, rows: readonly object[], subjectIds: readonly string[]): Promise<number> {
    return tx.execute(INSERT, [JSON.stringify(rows), subjectIds]);
  }

  /** Each answer also goes into the history of the order, if there is one. */
  async markAnswered(db: Queryable, answers: readonly object[], txIds: readonly string[]): Promise<void> {
    await db.execute(MARK_ANSWERED, [JSON.stringify(answers), txIds]);
  }

  claimResends(headTimeMs: number, limit: number): Promise<SignedRow[]> {
    return this.sql.rows(CLAIM_RESENDS, [headTimeMs, limit]);
  }

  async isAnyOpen(): Promise<boolean> {
    return (await this.sql.row(ANY_OPEN))!.any;
  }

  /** The lowest block at or above `lowestBlock` that may have an open transaction other than these; null when there is none. */
  async findLowestBlock(
    excludedIds: readonly bigint[],
    lowestBlock: number,
    reachedMs: number,
  ): Promise<number | null> {
    const from = (await this.sql.row(LOWEST_OPEN_BLOCK, [excludedIds, lowestBlock, reachedMs]))?.from_block;
    return from === null || from === undefined ? null : Number(from);
  }

  /** Those of these that are ours, in whatever state. */
  async findKnown(txIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.sql.rows(KNOWN_AMONG, [txIds])).map(({ tx_id: txId }) => txId));
  }

  /** The block that each of these is in, by what any instance has recorded. */
  async findInBlocks(txIds: Iterable<string>): Promise<RecordedIn[]> {
    const rows = await this.sql.rows(IN_BLOCKS_AMONG, [[...txIds]]);
    return rows.map((row) => ({
      txId: row.tx_id,
      block: { number: Number(row.block_number), id: row.block_id },
      isFinal: row.is_final,
    }));
  }

  findOpen(txIds: Iterable<string>): Promise<OutboxRow[]> {
    return this.sql.rows(OPEN_AMONG, [[...txIds]]);
  }

  findExpired(reachedMs: number, fromReferenceBlock: number): Promise<OutboxRow[]> {
    return this.sql.rows(EXPIRED_OPEN, [reachedMs, fromReferenceBlock]);
  }

  findWithPayers(ids: Iterable<bigint>): Promise<OpenWithPayer[]> {
    return this.sql.rows(OPEN_WITH_PAYERS, [[...ids]]);
  }

  findIncludedIn(blockIds: readonly string[]): Promise<OutboxRow[]> {
    return this.sql.rows(DROPPED_IN, [blockIds]);
  }

  async includedBlocks(): Promise<{ number: number; id: string }[]> {
    const rows = await this.sql.rows(INCLUDED_BLOCKS);
    return rows.map((row) => ({ number: Number(row.block_number), id: row.block_id }));
  }

  /** Without waiting for locks; rows recorded in the block `knownIn` are left out. */
  lockOpen(tx: SqlTransaction, ids: Iterable<bigint>, knownIn = ''): Promise<LockedRow[]> {
    return tx.rows(LOCK_OPEN, [[...ids], knownIn]);
  }

  markIncluded(tx: SqlTransaction, ids: readonly bigint[], block: BlockHeader): Promise<OutboxRow[]> {
    return tx.rows(MARK_INCLUDED, [ids, block.number, block.id, block.timeMs]);
  }

  markDropped(tx: SqlTransaction, ids: readonly bigint[], blockId: string | null): Promise<DroppedRow[]> {
    return tx.rows(MARK_DROPPED, [ids, blockId]);
  }

  /** By id, what proves each of them to others, where that is to be kept. */
  markFinal(
    tx: SqlTransaction,
    proofs: ReadonlyMap<bigint, Inclusion | null>,
    block: BlockHeader,
  ): Promise<OutboxRow[]> {
    const tails = [...proofs.values()].map((proof) => proof && proof.tail.toString('hex'));
    const branches = [...proofs.values()].map((proof) => proof && encodeBranch(proof.branch).toString('hex'));
    return tx.rows(MARK_FINAL, [[...proofs.keys()], block.number, block.id, block.timeMs, tails, branches]);
  }

  markDead(tx: SqlTransaction, ids: readonly bigint[]): Promise<OutboxRow[]> {
    return tx.rows(MARK_DEAD, [ids]);
  }
}
