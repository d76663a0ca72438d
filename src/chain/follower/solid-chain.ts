import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Sql } from '../../database/sql';
import { ChainReads, MOST_BLOCKS_A_READ, type Block, type BlockHeader } from '../node/chain-reads';
import type { OutboxRow } from '../outbox/outbox-row';
import { EXPIRED_OPEN, OPEN_AMONG, OPEN_WINDOW } from '../outbox/outbox.statements';
import { inParallel } from './in-parallel';
import { TransactionFates } from './transaction-fates';

type Row = OutboxRow & Record<string, unknown>;

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * The solid chain as this instance has read it, linked block by block through parent ids. Two things are decided here and nowhere
 * else: a transaction found in it is final; one that expired within the blocks read since its reference block, and is in none of
 * them, is dead. Asking a node for the txid proves neither: behind a gateway two questions meet two nodes.
 */
@Injectable()
export class SolidChain {
  private readonly logger = new Logger(SolidChain.name);
  private cursor: BlockHeader | null = null;
  /** The first block of the unbroken run that ends at the cursor. */
  private coveredFrom = 0;
  /** Ids of that run, from the oldest open reference block on. */
  private readonly ids = new Map<number, string>();
  /** Found in a block but not settled (the database failed, a poisoned row): tried again, never held to be dead. */
  private readonly unsettled = new Map<bigint, { row: Row; block: Block; retryAtMs: number; retryMs: number }>();

  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly fates: TransactionFates,
    private readonly clock: Clock,
  ) {}

  async advance(solid: BlockHeader): Promise<void> {
    await this.retryUnsettled();
    while (await this.aim(solid)) {
      const from = this.cursor ? this.cursor.number + 1 : this.coveredFrom;
      if (from > solid.number) return;
      const blocks = await this.reads.blocks(
        'walletsolidity',
        from,
        Math.min(solid.number, from + MOST_BLOCKS_A_READ - 1),
      );
      if (blocks.length === 0) return;
      for (const block of blocks) if (!(await this.take(block))) return;
    }
  }

  /** Where to read next: from the oldest open transaction's reference block. False when nothing of ours is open. */
  private async aim(solid: BlockHeader): Promise<boolean> {
    const window = await this.sql.row<{ from_block: bigint | null }>(OPEN_WINDOW, [[...this.unsettled.keys()]]);
    if (window?.from_block === null || window?.from_block === undefined) {
      this.startAt(solid.number, solid);
      return false;
    }
    const from = Math.min(Number(window.from_block), solid.number);
    for (const number of this.ids.keys()) {
      if (number >= from) break;
      this.ids.delete(number);
    }
    // Older than what is covered, or so much newer that the blocks between matter to nobody.
    if (!this.cursor || from < this.coveredFrom || from > this.cursor.number + 1) this.startAt(from, null);
    return true;
  }

  private startAt(number: number, cursor: BlockHeader | null): void {
    this.coveredFrom = number;
    this.cursor = cursor;
    this.ids.clear();
    if (cursor) this.ids.set(cursor.number, cursor.id);
  }

  private async take(block: Block): Promise<boolean> {
    const linked = this.cursor
      ? block.number === this.cursor.number + 1 && block.parentId === this.cursor.id
      : block.number === this.coveredFrom;
    if (!linked) {
      // Never a proof of anything: start over from the oldest open reference block.
      this.logger.error(`Solid block ${block.number} does not continue the solid chain read so far; reading it anew`);
      this.reads.doubt('walletsolidity');
      this.startAt(0, null);
      return false;
    }
    const rows = block.txIds.size === 0 ? [] : await this.sql.rows<Row>(OPEN_AMONG, [[...block.txIds]]);
    await inParallel(rows, (row) => this.settle(row, block, FIRST_RETRY_MS));
    this.cursor = block;
    this.ids.set(block.number, block.id);
    await this.buryExpired(block);
    return true;
  }

  /** Every block that could hold these was read, this one included, and holds none of them. */
  private async buryExpired(block: Block): Promise<void> {
    const rows = await this.sql.rows<Row>(EXPIRED_OPEN, [block.timeMs, this.coveredFrom]);
    const unsettled = rows.filter((row) => !this.unsettled.has(row.id));
    if (unsettled.length === 0) return;
    // A reference block that is not in the run was dropped by a fork, or the run is of another chain: ask which.
    const anchored = unsettled.every((row) => this.ids.get(Number(row.ref_block_number)) === row.ref_block_id);
    if (!anchored) await this.reads.confirm('walletsolidity', block);
    await inParallel(unsettled, async (row) => {
      await this.fates
        .dead(row)
        .catch((error: unknown) => this.logger.error({ err: error, txid: row.tx_id }, 'a death was not recorded'));
    });
  }

  private async settle(row: Row, block: Block, retryMs: number): Promise<void> {
    try {
      await this.fates.final(row, block);
      this.unsettled.delete(row.id);
    } catch (error) {
      this.logger.error({ err: error, txid: row.tx_id }, 'a final transaction was not settled; it is tried again');
      const next = {
        row,
        block,
        retryAtMs: this.clock.monotonicMs() + retryMs,
        retryMs: Math.min(LONGEST_RETRY_MS, retryMs * 2),
      };
      this.unsettled.set(row.id, next);
    }
  }

  private async retryUnsettled(): Promise<void> {
    const now = this.clock.monotonicMs();
    const due = [...this.unsettled.values()].filter((entry) => entry.retryAtMs <= now);
    await inParallel(due, ({ row, block, retryMs }) => this.settle(row, block, retryMs));
  }
}
