import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Sql } from '../../database/sql';
import { ChainReads, MOST_BLOCKS_A_READ, type Block, type BlockHeader } from '../node/chain-reads';
import type { OutboxRow } from '../outbox/outbox-row';
import { EXPIRED_OPEN, OPEN_AMONG, OPEN_WINDOW } from '../outbox/outbox.statements';
import { inParallel } from './in-parallel';
import { Retries } from './retries';
import { SolidRun } from './solid-run';
import { TransactionFates } from './transaction-fates';

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
  private readonly run = new SolidRun();
  /** Found in a block but not settled (the database failed, a poisoned row): tried again, never held to be dead. */
  private readonly unsettled: Retries<bigint, { row: Row; block: Block }>;

  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly fates: TransactionFates,
    clock: Clock,
  ) {
    this.unsettled = new Retries(clock);
  }

  async advance(solid: BlockHeader): Promise<void> {
    await inParallel(this.unsettled.due(), ({ row, block }) => this.settle(row, block));
    while (await this.aim(solid)) {
      const from = this.run.next;
      if (from > solid.number) return;
      const to = Math.min(solid.number, from + MOST_BLOCKS_A_READ - 1);
      const blocks = await this.reads.blocks('walletsolidity', from, to);
      if (blocks.length === 0) return;
      for (const block of blocks) if (!(await this.take(block, solid))) return;
    }
  }

  /** Where to read next: from the oldest open transaction's reference block. False when nothing of ours is open. */
  private async aim(solid: BlockHeader): Promise<boolean> {
    const window = await this.sql.row<{ from_block: bigint | null }>(OPEN_WINDOW, [this.unsettled.keys]);
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
    await inParallel(rows, (row) => this.settle(row, block));
    await this.buryExpired(block, this.run.extend(block));
    return true;
  }

  /** Every block that could hold these was read, this one included, and holds none of them. */
  private async buryExpired(block: Block, reachedMs: number): Promise<void> {
    const rows = await this.sql.rows<Row>(EXPIRED_OPEN, [reachedMs, this.run.start]);
    const expired = rows.filter((row) => !this.unsettled.has(row.id));
    if (expired.length === 0) return;
    // A reference block that is not in the run was dropped by a fork, or the run is of another chain: ask which.
    const anchored = expired.every((row) => this.run.holds(row.ref_block_number, row.ref_block_id));
    if (!anchored) await this.reads.confirm('walletsolidity', block);
    await inParallel(expired, async (row) => {
      await this.fates
        .dead(row)
        .catch((error: unknown) => this.logger.error({ err: error, txid: row.tx_id }, 'a death was not recorded'));
    });
  }

  private async settle(row: Row, block: Block): Promise<void> {
    try {
      await this.fates.final(row, block);
      this.unsettled.done(row.id);
    } catch (error) {
      this.logger.error({ err: error, txid: row.tx_id }, 'a final transaction was not settled; it is tried again');
      this.unsettled.failed(row.id, { row, block });
    }
  }
}
