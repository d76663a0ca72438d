import type { Logger } from '@nestjs/common';
import type { Clock } from '../../common/clock';
import { DoubtfulBlockError } from '../node/block-answer';
import type { ChainReads } from '../node/chain-reads';
import type { ChainTransactionRepository } from '../outbox/chain-transaction.repository';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * Open transactions whose reference block no node has any more (a node started from a snapshot, a pruned gateway). Their outcome
 * cannot be proved, so they stay open; they are set aside so that all others are settled, and retried at growing intervals.
 */
export class PrunedBlocks {
  /** Transactions with a reference block below this are set aside. */
  private below = 0;
  private retryAtMs = 0;
  private retryMs = FIRST_RETRY_MS;

  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly reads: ChainReads,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** The lowest reference block that can be read; 0 again once a retry finds the blocks. */
  async floor(): Promise<number> {
    if (this.below > 0 && this.clock.monotonicMs() >= this.retryAtMs) await this.setAside();
    return this.below;
  }

  /** Finds the oldest open reference block that can be read. Nodes keep the newest blocks, so a binary search finds the boundary. */
  async setAside(): Promise<void> {
    const before = this.below;
    const numbers = await this.transactions.openReferences();
    let [low, high] = [0, numbers.length];
    // Starts with the oldest, which in most cases can be read again.
    for (let at = 0; low < high; at = (low + high) >> 1) {
      if (await this.isReadable(numbers[at]!)) high = at;
      else low = at + 1;
    }
    this.below = low === 0 ? 0 : numbers[low - 1]! + 1;
    this.report(before, low);
    this.retryMs = before === 0 ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, this.retryMs * 2);
    this.retryAtMs = this.clock.monotonicMs() + this.retryMs;
  }

  /** A block that contradicts itself counts as missing. */
  private async isReadable(number: number): Promise<boolean> {
    try {
      return (await this.reads.blocks('walletsolidity', number, number)).length > 0;
    } catch (error) {
      if (error instanceof DoubtfulBlockError) return false;
      throw error;
    }
  }

  private report(before: number, blocks: number): void {
    if (this.below === 0 && before > 0)
      this.logger.log('All blocks since the oldest open transaction can be read again');
    // Logged at the second failure only: the node may have been a moment behind.
    if (this.below > 0 && before > 0 && this.retryMs === FIRST_RETRY_MS)
      this.logger.error(
        `No node has the blocks below ${this.below}, which open transactions name as reference blocks (${blocks} blocks): these wait until a node has them, all others are settled`,
      );
  }
}
