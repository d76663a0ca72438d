import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { batches } from '../../common/concurrency/batches';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { Sql } from '../../database/sql';
import { ChainReads, MOST_BLOCKS_A_READ, type Block, type BlockHeader } from '../node/chain-reads';
import type { OutboxRow } from '../outbox/outbox-row';
import { EXPIRED_OPEN, OPEN_AMONG, SOLID_WINDOW } from '../outbox/outbox.statements';
import { LateOutcomes } from './late-outcomes';
import { PrunedBlocks } from './pruned-blocks';
import { RetryQueue } from './retry-queue';
import { SolidSegment } from './solid-segment';
import { TransactionOutcomes } from './transaction-outcomes';

/** A long way to catch up is made over several turns, so that new orders are seen meanwhile. */
const READS_A_TURN = 25;
/** A node behind a gateway may be a little behind the one that showed the newest block. */
const LAG = 3;

type Row = OutboxRow & Record<string, unknown>;

/**
 * The solid chain as this instance has read it, linked block by block through parent ids. Two things are decided here and nowhere
 * else: a transaction found in it is final; one that expired within the blocks read since its reference block, and is in none of
 * them, is dead. Asking a node for the txid proves neither: behind a gateway two questions meet two nodes.
 */
@Injectable()
export class SolidChain {
  private readonly logger = new Logger(SolidChain.name);
  /** From the oldest open reference block on. */
  private readonly run = new SolidSegment();
  /** In a block of the run by what the head chain showed, and not in it as the solidity node tells it. */
  private readonly contradicted: RetryQueue<bigint, Row>;
  private readonly unreadable: PrunedBlocks;

  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly outcomes: TransactionOutcomes,
    private readonly late: LateOutcomes,
    clock: Clock,
  ) {
    this.contradicted = new RetryQueue(clock);
    this.unreadable = new PrunedBlocks(sql, reads, clock, this.logger);
  }

  /** What the signal leaves unread is read after the next start, from the rows. */
  async advance(solid: BlockHeader, signal?: AbortSignal): Promise<void> {
    await forEachConcurrently(this.contradicted.due(), (row) => this.lookAgain(row));
    for (let reads = 0; reads < READS_A_TURN && (await this.aim(solid)); reads++) {
      if (signal?.aborted) return;
      const from = this.run.next;
      if (from > solid.number) return;
      const to = Math.min(solid.number, from + MOST_BLOCKS_A_READ - 1);
      const blocks = await this.reads.blocks('walletsolidity', from, to);
      if (blocks.length === 0) {
        if (this.run.isEmpty && from < solid.number - LAG) await this.unreadable.setAside();
        return;
      }
      for (const block of blocks) if (signal?.aborted || !(await this.take(block, solid))) return;
    }
  }

  /** Where to read next: from the oldest open transaction's reference block. False when nothing of ours is open. */
  private async aim(solid: BlockHeader): Promise<boolean> {
    const elsewhere = [...this.late.ids, ...this.contradicted.keys];
    const values = [elsewhere, await this.unreadable.floor()];
    const window = await this.sql.row<{ from_block: bigint | null }>(SOLID_WINDOW, values);
    if (window?.from_block === null || window?.from_block === undefined) {
      this.run.startAt(solid.number, solid);
      return false;
    }
    const from = Math.min(Number(window.from_block), solid.number);
    this.run.forgetBelow(from);
    // Older than what is covered, or so much newer that the blocks between matter to nobody.
    if (this.run.isEmpty || from < this.run.start || from > this.run.next) this.run.startAt(from);
    return true;
  }

  private async take(block: Block, solid: BlockHeader): Promise<boolean> {
    const refusal = this.run.refusal(block, solid);
    if (refusal) {
      // Never a proof of anything: start over from the oldest open reference block.
      this.logger.error(`Solid block ${block.number} ${refusal}; the solid chain is read anew`);
      this.reads.doubt('walletsolidity');
      this.run.startAt(0);
      return false;
    }
    const rows = block.txIds.size === 0 ? [] : await this.sql.rows<Row>(OPEN_AMONG, [[...block.txIds]]);
    await forEachConcurrently(batches(rows), (batch) => this.settle(batch, block));
    await this.expireUnincluded(block, this.run.extend(block));
    return true;
  }

  /** Every block that could hold these was read, this one included, and holds none of them. */
  private async expireUnincluded(block: Block, reachedMs: number): Promise<void> {
    const rows = await this.sql.rows<Row>(EXPIRED_OPEN, [reachedMs, this.run.start]);
    const expired: Row[] = [];
    for (const row of rows) {
      // What was found in a block and could not be settled yet is never held to be dead.
      if (this.late.has(row.id) || this.contradicted.has(row.id)) continue;
      if (this.run.holds(row.block_number, row.block_id)) this.contradict(row);
      // Seen in a block above: until the run is there, or that block was dropped, it is not dead.
      else if (row.block_number === null || Number(row.block_number) <= block.number) expired.push(row);
    }
    if (expired.length === 0) return;
    // A reference block that is not in the run was dropped by a fork, or the run is of another chain: ask which.
    const anchored = expired.every((row) => this.run.holds(row.ref_block_number, row.ref_block_id));
    if (!anchored) await this.reads.confirm('walletsolidity', block);
    await forEachConcurrently(expired, async (row) => this.late.add(await this.outcomes.dead([row]), null));
  }

  /** One of two nodes is wrong, and a death cannot be taken back: it stays open, and its block is read again. */
  private contradict(row: Row): void {
    if (this.contradicted.failed(row.id, row)) {
      const where = `block ${row.block_number} (${row.block_id})`;
      this.logger.error(
        { txid: row.tx_id },
        `A transaction was seen in ${where}, which the solid chain has without it`,
      );
    }
    this.reads.doubt('walletsolidity');
  }

  /** One that cannot be looked at now keeps nothing else waiting. */
  private async lookAgain({ id, tx_id: txId, block_id: blockId }: Row): Promise<void> {
    const [row] = await this.sql.rows<Row>(OPEN_AMONG, [[txId]]);
    // Settled by another instance, or dropped by a fork since.
    if (row?.block_id !== blockId) return this.contradicted.done(id);
    const number = Number(row.block_number);
    const [block] = await this.reads.blocks('walletsolidity', number, number).catch(() => []);
    if (block?.id !== blockId || !block.txIds.has(txId)) return this.contradict(row);
    this.contradicted.done(id);
    await this.settle([row], block);
  }

  private async settle(rows: Row[], block: Block): Promise<void> {
    this.late.add(await this.outcomes.final(rows, block), block);
  }
}
