import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { batches } from '../../common/concurrency/batches';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { Sql } from '../../database/sql';
import { ChainReads, MOST_BLOCKS_A_READ, type Block, type BlockHeader } from '../node/chain-reads';
import type { OutboxRow } from '../outbox/outbox-row';
import { DROPPED_IN, INCLUDED_BLOCKS, OPEN_AMONG } from '../outbox/outbox.statements';
import { InclusionWaiters } from './inclusion-waiters';
import { RetryQueue } from './retry-queue';
import { TransactionOutcomes } from './transaction-outcomes';

type Row = OutboxRow & Record<string, unknown>;

/** Blocks remembered for comparison; more than can be unsolid at a time. */
const WINDOW = 200;
/** After a start, blocks this far back are read again. */
const LOOK_BACK = 60;
/** A node behind a gateway may be a little behind the one asked before; a head further back than this was dropped. */
const LAG = 3;

/** The head chain as this instance has read it: tells what is in a block now, which a fork may still take back. */
@Injectable()
export class HeadChain {
  private readonly logger = new Logger(HeadChain.name);
  private readonly seen = new Map<number, string>();
  private cursor: BlockHeader | null = null;
  /** Of blocks that were dropped, while that is not recorded. */
  private readonly undropped: RetryQueue<bigint, Row>;
  /** Seen in a block that stands, while that is not recorded. */
  private readonly unincluded: RetryQueue<bigint, { row: Row; block: Block }>;

  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly outcomes: TransactionOutcomes,
    private readonly waits: InclusionWaiters,
    clock: Clock,
  ) {
    this.undropped = new RetryQueue(clock);
    this.unincluded = new RetryQueue(clock);
  }

  /** Nothing of ours is open: the blocks up to here need not be read. */
  skipTo(head: BlockHeader): void {
    this.seen.clear();
    this.moveTo(head);
  }

  /** What the signal leaves unread is read after the next start, from the rows. */
  async advance(head: BlockHeader, signal?: AbortSignal): Promise<void> {
    try {
      await forEachConcurrently(this.undropped.due(), (row) => this.dropRow(row));
      await forEachConcurrently(this.unincluded.due(), (late) => this.includeLate(late));
      await this.follow(head, signal);
    } catch (error) {
      // Blocks that were dropped may not have been recorded as such: begin anew from the rows.
      this.cursor = null;
      throw error;
    }
  }

  private async follow(head: BlockHeader, signal?: AbortSignal): Promise<void> {
    const cursor = this.cursor ?? (await this.begin(head, signal));
    const same = head.number === cursor.number && head.id === cursor.id;
    const lagging =
      head.number < cursor.number && cursor.number - head.number <= LAG && this.seen.get(head.number) === head.id;
    if (same || lagging) return;
    if (head.number <= cursor.number) await this.dropAbove(head);
    await this.readUpTo(head, signal);
  }

  private async readUpTo(head: BlockHeader, signal?: AbortSignal): Promise<void> {
    while (this.cursor && this.cursor.number < head.number) {
      if (signal?.aborted) return;
      const from = this.cursor.number + 1;
      const blocks = await this.reads.blocks('wallet', from, Math.min(head.number, from + MOST_BLOCKS_A_READ - 1));
      if (blocks.length === 0) return;
      for (const block of blocks) {
        if (block.number !== this.cursor.number + 1) return;
        // Another branch: what stood on the old one is dropped, and the next turn reads on from the common block.
        if (block.parentId !== this.cursor.id) return this.dropAbove(head);
        await this.take(block);
        this.moveTo(block);
      }
    }
  }

  /** After a start: what was in a block when the last instance stopped is compared with the chain of today. */
  private async begin(head: BlockHeader, signal?: AbortSignal): Promise<BlockHeader> {
    const rows = await this.sql.rows<{ block_number: bigint; block_id: string }>(INCLUDED_BLOCKS);
    const gone: string[] = [];
    for (const row of rows) {
      signal?.throwIfAborted();
      const number = Number(row.block_number);
      const [block] = number <= head.number ? await this.reads.blocks('wallet', number, number) : [];
      if (block?.id !== row.block_id) gone.push(row.block_id);
    }
    await this.drop(gone);
    const from = Math.max(0, head.number - LOOK_BACK);
    const [first] = await this.reads.blocks('wallet', from, from);
    return this.moveTo(first ?? head);
  }

  private moveTo(block: BlockHeader): BlockHeader {
    this.cursor = block;
    this.seen.set(block.number, block.id);
    this.seen.delete(block.number - WINDOW);
    return block;
  }

  private async take(block: Block): Promise<void> {
    if (block.txIds.size === 0) return;
    const rows = await this.sql.rows<Row>(OPEN_AMONG, [[...block.txIds]]);
    await forEachConcurrently(batches(rows), async (batch) => {
      await this.include(batch, block);
      // Waiters come second: what they commit as an answer builds on the recorded state. Where somebody has the order locked,
      // the answer comes first.
      for (const row of batch) this.waits.seen(row.tx_id, block);
    });
  }

  private async include(rows: readonly Row[], block: Block): Promise<void> {
    const left = await this.outcomes.included(rows, block);
    for (const row of rows) {
      if (left.some((unrecorded) => unrecorded.row === row)) continue;
      this.unincluded.done(row.id);
      // Not before: the row still says that it is in the dropped block, should this one be dropped as well.
      this.undropped.done(row.id);
    }
    for (const { row, error } of left) {
      const isFirst = this.unincluded.failed(row.id, { row, block }, error === null ? 'locked' : 'failed');
      if (error !== null && isFirst)
        this.logger.error({ err: error, txid: row.tx_id }, 'an inclusion was not recorded');
    }
  }

  /** A block that was dropped since holds nothing. */
  private async includeLate({ row, block }: { row: Row; block: Block }): Promise<void> {
    if (this.seen.get(block.number) === block.id) await this.include([row], block);
    else this.unincluded.done(row.id);
  }

  /** Steps down to the newest block that the node's chain of now shares with what was seen. */
  private async dropAbove(head: BlockHeader): Promise<void> {
    const gone: string[] = [];
    let common: BlockHeader | null = null;
    for (let height = this.cursor!.number; common === null; height--) {
      const id = this.seen.get(height);
      if (id === undefined) break;
      const [block] =
        height > head.number ? [] : height === head.number ? [head] : await this.reads.blocks('wallet', height, height);
      if (block?.id === id) {
        common = block;
      } else {
        gone.push(id);
        this.seen.delete(height);
      }
    }
    this.logger.warn(
      `The head chain dropped ${gone.length} blocks; the common block is ${common?.number ?? 'older than what was seen'}`,
    );
    this.cursor = common;
    if (!common) this.reads.doubt('wallet');
    await this.drop(gone);
    if (!common) await this.begin(head);
  }

  private async drop(blockIds: string[]): Promise<void> {
    if (blockIds.length === 0) return;
    const rows = await this.sql.rows<Row>(DROPPED_IN, [blockIds]);
    await forEachConcurrently(rows, (row) => this.dropRow(row));
  }

  /** One that cannot be recorded keeps no other waiting; conditional on the block, so it may be tried again at any time. */
  private async dropRow(row: Row): Promise<void> {
    const [left] = await this.outcomes.dropped(row);
    if (!left) return this.undropped.done(row.id);
    const isFirst = this.undropped.failed(row.id, row, left.error === null ? 'locked' : 'failed');
    if (left.error !== null && isFirst)
      this.logger.error({ err: left.error, txid: row.tx_id }, 'a dropped block was not recorded; it is tried again');
  }
}
