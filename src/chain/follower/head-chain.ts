import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { batches } from '../../common/concurrency/batches';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { ChainReads, MOST_BLOCKS_A_READ, type Block, type BlockHeader } from '../node/chain-reads';
import { ChainTransactionRepository } from '../outbox/chain-transaction.repository';
import type { OutboxRow } from '../outbox/outbox-row';
import { WalletActivity } from '../wallets/wallet-activity';
import { InclusionWaiters } from './inclusion-waiters';
import { RetryQueue } from './retry-queue';
import { TransactionOutcomes } from './transaction-outcomes';

/** Blocks remembered for comparison; more than can be unsolid at the same time. */
const WINDOW = 200;
/** After a start, blocks this far back are read again. */
const LOOK_BACK = 60;
/** Behind a gateway, the next node may be this many blocks behind the last one; a head further back was dropped. */
const LAG = 3;

/** The head chain as this instance has read it. It records inclusions, and takes them back when a fork drops their block. */
@Injectable()
export class HeadChain {
  private readonly logger = new Logger(HeadChain.name);
  private readonly seen = new Map<number, string>();
  private cursor: BlockHeader | null = null;
  /** Their block was dropped, and that could not be recorded yet. */
  private readonly undropped: RetryQueue<bigint, OutboxRow>;
  /** Included in a block of the chain, and that could not be recorded yet. */
  private readonly unincluded: RetryQueue<bigint, { row: OutboxRow; block: Block }>;

  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly reads: ChainReads,
    private readonly outcomes: TransactionOutcomes,
    private readonly waiters: InclusionWaiters,
    private readonly walletActivity: WalletActivity,
    clock: Clock,
  ) {
    this.undropped = new RetryQueue(clock);
    this.unincluded = new RetryQueue(clock);
  }

  /** None of our transactions is open: the blocks up to this one need not be read. */
  skipTo(head: BlockHeader): void {
    this.seen.clear();
    this.moveTo(head);
  }

  /** Blocks left unread when the signal aborts are read after the next start, because the rows are still open. */
  async advance(head: BlockHeader, signal?: AbortSignal): Promise<void> {
    try {
      await forEachConcurrently(this.undropped.due(), (row) => this.dropRow(row));
      await forEachConcurrently(this.unincluded.due(), (late) => this.retryInclusion(late));
      await this.follow(head, signal);
    } catch (error) {
      // Dropped blocks may not have been recorded: start over from the rows.
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
        // Another branch: drop the blocks of the old one; the next turn continues from the common block.
        if (block.parentId !== this.cursor.id) return this.dropAbove(head);
        await this.take(block);
        this.moveTo(block);
      }
    }
  }

  /** After a start: compares the blocks in the rows with the chain as it is now. */
  private async begin(head: BlockHeader, signal?: AbortSignal): Promise<BlockHeader> {
    const dropped: string[] = [];
    for (const { number, id } of await this.transactions.includedBlocks()) {
      signal?.throwIfAborted();
      const [block] = number <= head.number ? await this.reads.blocks('wallet', number, number) : [];
      if (block?.id !== id) dropped.push(id);
    }
    await this.drop(dropped);
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
    await this.walletActivity.seen(block);
    const rows = await this.transactions.findOpen(block.txIds);
    await forEachConcurrently(batches(rows), async (batch) => {
      await this.include(batch, block);
      // Waiters come second: the answer they commit builds on the recorded state. If the order was locked, the answer comes first.
      for (const row of batch) this.waiters.seen(row.tx_id, block);
    });
  }

  private async include(rows: readonly OutboxRow[], block: Block): Promise<void> {
    const left = await this.outcomes.included(rows, block);
    for (const row of rows) {
      if (left.some((unrecorded) => unrecorded.row === row)) continue;
      this.unincluded.done(row.id);
      // Not earlier: until now the row names the dropped block, and this one may be dropped as well.
      this.undropped.done(row.id);
    }
    for (const { row, error } of left) {
      const isFirst = this.unincluded.failed(row.id, { row, block }, error === null ? 'locked' : 'failed');
      if (error !== null && isFirst)
        this.logger.error({ err: error, txid: row.tx_id }, 'An inclusion was not recorded; it is tried again');
    }
  }

  /** Gives up when the block has been dropped since. */
  private async retryInclusion({ row, block }: { row: OutboxRow; block: Block }): Promise<void> {
    if (this.seen.get(block.number) === block.id) await this.include([row], block);
    else this.unincluded.done(row.id);
  }

  /** Steps down to the newest block that the node's chain shares with the blocks seen so far. */
  private async dropAbove(head: BlockHeader): Promise<void> {
    const dropped: string[] = [];
    let common: BlockHeader | null = null;
    for (let height = this.cursor!.number; common === null; height--) {
      const id = this.seen.get(height);
      if (id === undefined) break;
      const [block] =
        height > head.number ? [] : height === head.number ? [head] : await this.reads.blocks('wallet', height, height);
      if (block?.id === id) {
        common = block;
      } else {
        dropped.push(id);
        this.seen.delete(height);
      }
    }
    this.logger.warn(
      `The head chain dropped ${dropped.length} blocks; the common block is ${common?.number ?? 'older than what was seen'}`,
    );
    this.cursor = common;
    if (!common) this.reads.invalidate('wallet');
    await this.drop(dropped);
    if (!common) await this.begin(head);
  }

  private async drop(blockIds: string[]): Promise<void> {
    if (blockIds.length === 0) return;
    const rows = await this.transactions.findIncludedIn(blockIds);
    await forEachConcurrently(rows, (row) => this.dropRow(row));
  }

  /** A row that cannot be recorded delays no other. The update depends on the block, so it may be retried at any time. */
  private async dropRow(row: OutboxRow): Promise<void> {
    const [left] = await this.outcomes.dropped(row);
    if (!left) return this.undropped.done(row.id);
    const isFirst = this.undropped.failed(row.id, row, left.error === null ? 'locked' : 'failed');
    if (left.error !== null && isFirst)
      this.logger.error(
        { err: left.error, txid: row.tx_id },
        'A dropped inclusion was not recorded; it is tried again',
      );
  }
}
