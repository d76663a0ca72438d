import type { Logger } from '@nestjs/common';
import type { Clock } from '../../common/clock';
import type { Sql } from '../../database/sql';
import { DoubtfulBlockError } from '../node/block-answer';
import type { ChainReads } from '../node/chain-reads';
import { OPEN_REFERENCES } from '../outbox/outbox.statements';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * Transactions whose reference block no node has any more (a node started from a snapshot, a pruned gateway). What became of them
 * cannot be proved, so they stay as they are; they are set aside so that all others are settled, and tried again now and then.
 */
export class PrunedBlocks {
  /** Transactions with a reference block below this are set aside. */
  private below = 0;
  private retryAtMs = 0;
  private retryMs = FIRST_RETRY_MS;

  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** The lowest reference block to look at; from the beginning again when its time has come and the blocks are there. */
  async floor(): Promise<number> {
    if (this.below > 0 && this.clock.monotonicMs() >= this.retryAtMs) await this.setAside();
    return this.below;
  }

  /** Looks for the oldest open reference block that can be read: nodes keep the newest blocks, so there is one boundary. */
  async setAside(): Promise<void> {
    const before = this.below;
    const rows = await this.sql.rows<{ number: bigint }>(OPEN_REFERENCES);
    const numbers = rows.map(({ number }) => Number(number));
    let [low, high] = [0, numbers.length];
    // Mostly the oldest is there again.
    for (let at = 0; low < high; at = (low + high) >> 1) {
      if (await this.isReadable(numbers[at]!)) high = at;
      else low = at + 1;
    }
    this.below = low === 0 ? 0 : numbers[low - 1]! + 1;
    this.tell(before, low);
    this.retryMs = before === 0 ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, this.retryMs * 2);
    this.retryAtMs = this.clock.monotonicMs() + this.retryMs;
  }

  /** A block that is told wrong is no better than one that is missing. */
  private async isReadable(number: number): Promise<boolean> {
    try {
      return (await this.reads.blocks('walletsolidity', number, number)).length > 0;
    } catch (error) {
      if (error instanceof DoubtfulBlockError) return false;
      throw error;
    }
  }

  private tell(before: number, blocks: number): void {
    if (this.below === 0 && before > 0)
      this.logger.log('All blocks since the oldest open transaction can be read again');
    // A node that is a moment behind is no news: told at the second failure.
    if (this.below > 0 && before > 0 && this.retryMs === FIRST_RETRY_MS)
      this.logger.error(
        `No node has the blocks below ${this.below}, which open transactions name (${blocks} blocks): these wait until one has, all others are settled`,
      );
  }
}
