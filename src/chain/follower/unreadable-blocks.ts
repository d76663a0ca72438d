import type { Logger } from '@nestjs/common';
import type { Clock } from '../../common/clock';
import type { BlockReads } from '../node/block-reads';
import type { ChainTransactionRepository } from '../outbox/chain-transaction.repository';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * Open transactions that a block could have which cannot be read: no node has it any more (one started from a snapshot, a pruned
 * gateway), or what they show of it does not make its root. Their outcome cannot be proved, so they stay open; they are set aside so
 * that all others are settled, and retried at growing intervals.
 */
export class UnreadableBlocks {
  /** Transactions with a reference block below this are set aside. */
  private below = 0;
  private retryAtMs = 0;
  private retryMs = 0;

  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly reads: BlockReads,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  get areAny(): boolean {
    return this.retryMs > 0;
  }

  /** The lowest reference block that is gone by; 0 each time that the blocks are to be tried again. */
  floor(): number {
    if (this.below > 0 && this.clock.monotonicMs() >= this.retryAtMs) this.below = 0;
    return this.below;
  }

  /** This block cannot be read. When no node has it, so it is with those below: a binary search finds the first one that is there. */
  async setAside(number: number): Promise<void> {
    const isSecond = this.below > 0;
    this.below = Math.max(number, await this.lastMissing(number)) + 1;
    // One more on the same way up: all are tried again together.
    if (isSecond) return;
    // Logged at the second failure only: the node may have been a moment behind.
    if (this.retryMs === FIRST_RETRY_MS)
      this.logger.error(
        `Transactions wait that name reference blocks below ${this.below}: not all blocks since then can be read. All others are settled`,
      );
    this.retryMs = this.retryMs === 0 ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, this.retryMs * 2);
    this.retryAtMs = this.clock.monotonicMs() + this.retryMs;
  }

  /** Everything since the oldest open reference block was read. */
  allRead(): void {
    if (this.below > 0 || !this.areAny) return;
    if (this.retryMs > FIRST_RETRY_MS)
      this.logger.log('All blocks since the oldest open transaction can be read again');
    this.retryMs = 0;
  }

  /** The highest open reference block that no node has; -1 when there is none. */
  private async lastMissing(number: number): Promise<number> {
    if (await this.isThere(number)) return -1;
    const numbers = (await this.transactions.openReferences()).filter((reference) => reference >= number);
    let [low, high] = [0, numbers.length];
    while (low < high) {
      const at = (low + high) >> 1;
      if (await this.isThere(numbers[at]!)) high = at;
      else low = at + 1;
    }
    return numbers[low - 1] ?? number;
  }

  private async isThere(number: number): Promise<boolean> {
    for (const url of this.reads.urls) {
      if (await this.reads.headerAt(url, number).catch(() => null)) return true;
    }
    return false;
  }
}
