import type { Logger } from '@nestjs/common';
import type { Clock } from '../../common/clock';

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

  setAside(number: number): void {
    const isFirst = this.below === 0;
    this.below = number + 1;
    // Logged at the second failure only: the node may have been a moment behind.
    if (isFirst && this.retryMs === FIRST_RETRY_MS)
      this.logger.error(
        `Block ${number} cannot be read: transactions that could be in it wait. All others are settled`,
      );
    // One more on the same way up: all are tried again together, after the last of them.
    if (isFirst) this.retryMs = this.retryMs === 0 ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, this.retryMs * 2);
    this.retryAtMs = this.clock.monotonicMs() + this.retryMs;
  }

  /** Everything since the oldest open reference block was read. */
  allRead(): void {
    if (this.below > 0 || !this.areAny) return;
    if (this.retryMs > FIRST_RETRY_MS)
      this.logger.log('All blocks since the oldest open transaction can be read again');
    this.retryMs = 0;
  }
}
