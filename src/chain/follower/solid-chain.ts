import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { batches } from '../../common/concurrency/batches';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { ChainReads, MOST_BLOCKS_A_READ, type Block, type BlockHeader } from '../node/chain-reads';
import { ChainTransactionRepository } from '../outbox/chain-transaction.repository';
import type { OutboxRow } from '../outbox/outbox-row';
import { LateOutcomes } from './late-outcomes';
import { PrunedBlocks } from './pruned-blocks';
import { RetryQueue } from './retry-queue';
import { SolidSegment } from './solid-segment';
import { TransactionOutcomes } from './transaction-outcomes';

/** Catching up takes several turns, so that inclusions of new orders are seen in between. */
const READS_A_TURN = 25;
/** Behind a gateway, the next node may be this many blocks behind the one that showed the newest block. */
const LAG = 3;

/**
 * The solid chain as this instance has read it, linked block by block through parent ids. Only here is a transaction found final
 * (it is in one of the blocks) or dead (it expired within the blocks read since its reference block, and is in none of them).
 * Asking a node for the txid would prove neither: behind a gateway, two calls may reach two nodes.
 */
@Injectable()
export class SolidChain {
  private readonly logger = new Logger(SolidChain.name);
  /** Starts at the oldest open reference block. */
  private readonly segment = new SolidSegment();
  /** The head chain showed them in a block which, as the solidity node shows it, is without them. */
  private readonly contradicted: RetryQueue<bigint, OutboxRow>;
  private readonly pruned: PrunedBlocks;

  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly reads: ChainReads,
    private readonly outcomes: TransactionOutcomes,
    private readonly late: LateOutcomes,
    clock: Clock,
  ) {
    this.contradicted = new RetryQueue(clock);
    this.pruned = new PrunedBlocks(transactions, reads, clock, this.logger);
  }

  /** Blocks left unread when the signal aborts are read after the next start, because the rows are still open. */
  async advance(solid: BlockHeader, signal?: AbortSignal): Promise<void> {
    await forEachConcurrently(this.contradicted.due(), (row) => this.retryContradicted(row));
    for (let reads = 0; reads < READS_A_TURN && (await this.aim(solid)); reads++) {
      if (signal?.aborted) return;
      const from = this.segment.next;
      if (from > solid.number) return;
      const to = Math.min(solid.number, from + MOST_BLOCKS_A_READ - 1);
      const blocks = await this.reads.blocks('walletsolidity', from, to);
      if (blocks.length === 0) {
        if (this.segment.isEmpty && from < solid.number - LAG) await this.pruned.setAside();
        return;
      }
      for (const block of blocks) if (signal?.aborted || !(await this.take(block, solid))) return;
    }
  }

  /** Moves to the oldest open reference block. False when none of our transactions is open. */
  private async aim(solid: BlockHeader): Promise<boolean> {
    const retried = [...this.late.ids, ...this.contradicted.keys];
    const lowest = await this.transactions.findLowestReference(retried, await this.pruned.floor());
    if (lowest === null) {
      this.segment.startAt(solid.number, solid);
      return false;
    }
    const from = Math.min(lowest, solid.number);
    this.segment.forgetBelow(from);
    // Before the segment, or so far after it that no open transaction needs the blocks between.
    if (this.segment.isEmpty || from < this.segment.start || from > this.segment.next) this.segment.startAt(from);
    return true;
  }

  private async take(block: Block, solid: BlockHeader): Promise<boolean> {
    const refusal = this.segment.refusal(block, solid);
    if (refusal) {
      // Such a block proves nothing: start over from the oldest open reference block.
      this.logger.error(
        `Solid block ${block.number} ${refusal}; the solid chain is read again from the oldest open reference block`,
      );
      this.reads.invalidate('walletsolidity');
      this.segment.startAt(0);
      return false;
    }
    const rows = block.txIds.size === 0 ? [] : await this.transactions.findOpen(block.txIds);
    await forEachConcurrently(batches(rows), (batch) => this.settle(batch, block));
    await this.expireUnincluded(block, this.segment.extend(block));
    return true;
  }

  /** Every block that could include these transactions was read, up to this one, and none does. */
  private async expireUnincluded(block: Block, reachedMs: number): Promise<void> {
    const rows = await this.transactions.findExpired(reachedMs, this.segment.start);
    const expired: OutboxRow[] = [];
    for (const row of rows) {
      // Found in a block and only not recorded yet: never dead.
      if (this.late.has(row.id) || this.contradicted.has(row.id)) continue;
      if (this.segment.holds(row.block_number, row.block_id)) this.contradict(row);
      // Not dead while it is in a block above: the segment has to reach that block, or a fork to drop it.
      else if (row.block_number === null || Number(row.block_number) <= block.number) expired.push(row);
    }
    if (expired.length === 0) return;
    // A reference block missing here was dropped by a fork, unless these blocks are of another chain: compare again.
    const anchored = expired.every((row) => this.segment.holds(row.ref_block_number, row.ref_block_id));
    if (!anchored) await this.reads.confirm('walletsolidity', block);
    await forEachConcurrently(expired, async (row) => this.late.add(await this.outcomes.dead([row]), null));
  }

  /** One of two nodes is wrong, and `dead` cannot be taken back: the row stays open, and its block is read again. */
  private contradict(row: OutboxRow): void {
    if (this.contradicted.failed(row.id, row)) {
      const where = `block ${row.block_number} (${row.block_id})`;
      this.logger.error(
        { txid: row.tx_id },
        `A transaction was seen in ${where}, but the solidity node shows this block without it`,
      );
    }
    this.reads.invalidate('walletsolidity');
  }

  /** A block that cannot be read now delays nothing else. */
  private async retryContradicted({ id, tx_id: txId, block_id: blockId }: OutboxRow): Promise<void> {
    const [row] = await this.transactions.findOpen([txId]);
    // Recorded by another instance, or dropped by a fork since.
    if (row?.block_id !== blockId) return this.contradicted.done(id);
    const number = Number(row.block_number);
    const [block] = await this.reads.blocks('walletsolidity', number, number).catch(() => []);
    if (block?.id !== blockId || !block.txIds.has(txId)) return this.contradict(row);
    this.contradicted.done(id);
    await this.settle([row], block);
  }

  private async settle(rows: OutboxRow[], block: Block): Promise<void> {
    this.late.add(await this.outcomes.final(rows, block), block);
  }
}
