import { Inject, Injectable } from '@nestjs/common';
import type { BlockHeader } from '../proof/block-header';
import type { HeaderChain } from '../proof/header-chain';
import { BlockClock } from '../verified-chain/block-clock';

/** Injection token of a number: milliseconds between blocks where the chain has not shown others. TRON's are 3 s apart. */
export const BLOCK_INTERVAL_MS = Symbol('BLOCK_INTERVAL_MS');

const SHORTEST_INTERVAL_MS = 100;
/** From so many of the newest blocks the interval is learned; a slot without a block makes one of them longer. */
const LEARNED_FROM = 8;
/** A block that is not there when it is due is asked for again so often, */
const AGAIN_MS = 100;
/** and for so long: then its slot is empty, or this node is late. */
const PATIENCE_MS = 500;
/** By so much at most, a late block puts off the questions for the next ones. */
const MOST_LEARNED_MS = 100;
/** A block that is there at the first question may have been there earlier: the next is asked for earlier, by twice as much each time. */
const SHORTEST_STEP_MS = 2;
/** A part of an interval, so that a block that is first seen long after it came is soon asked for in time. */
const LONGEST_STEP = 1 / 8;

/** When a node is asked for the next block: as long after the block's time as it took the last ones to come. */
@Injectable()
export class BlockPace {
  private head: BlockHeader | null = null;
  private intervalMs: number;
  /** Monotonic time at which a node has a block, less the block's time. */
  private delayMs = 0;
  private stepMs = SHORTEST_STEP_MS;
  private learned = false;
  private dueAtMs = Number.NEGATIVE_INFINITY;
  /** Since when the block that is due now has been asked for. */
  private askedSinceMs: number | null = null;
  /** When it was found last that it was not there yet. */
  private missingAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(BLOCK_INTERVAL_MS) private readonly longestMs: number,
    private readonly clock: BlockClock,
  ) {
    this.intervalMs = longestMs;
  }

  get waitMs(): number {
    return Math.max(0, this.dueAtMs - this.clock.monotonicMs());
  }

  /** Whether the next question is the last one of this slot: the other nodes are asked too then. */
  get isLast(): boolean {
    return this.askedSinceMs !== null && this.clock.monotonicMs() - this.askedSinceMs >= PATIENCE_MS - AGAIN_MS;
  }

  /** After a question. Without a chain, or when it failed: not before a second has passed. */
  asked(chain: HeaderChain | null): void {
    const now = this.clock.monotonicMs();
    if (!chain) return this.retryAt(now + 1_000);
    if (chain.head.id !== this.head?.id) return this.seen(chain, now);
    this.askedSinceMs ??= now;
    this.missingAtMs = now;
    if (now - this.askedSinceMs < PATIENCE_MS - AGAIN_MS / 2) {
      this.dueAtMs = now + Math.min(AGAIN_MS, this.intervalMs);
      return;
    }
    // The slot is empty, or the chain stands still.
    const slots = Math.max(1, Math.ceil((now - this.expectedMs(1)) / this.intervalMs));
    this.retryAt(Math.max(now, this.expectedMs(1) + slots * this.intervalMs));
  }

  private retryAt(timeMs: number): void {
    this.askedSinceMs = null;
    this.dueAtMs = timeMs;
  }

  /**
   * Whether a block came later than it was asked for, so that it is known when they come. Until then the follower never asks late on
   * purpose.
   */
  get hasLearned(): boolean {
    return this.learned;
  }

  private seen(chain: HeaderChain, now: number): void {
    const { head } = chain;
    const delayMs = now - head.timeMs;
    if (this.head === null || Math.abs(delayMs - this.delayMs) >= this.intervalMs) {
      // The first one, or the chain's time has jumped.
      this.delayMs = delayMs;
      this.learned = false;
      this.stepMs = this.intervalMs * LONGEST_STEP;
    } else if (this.askedSinceMs === null) {
      // Asked late, it says nothing.
      const wasLate = delayMs - this.delayMs > AGAIN_MS;
      this.delayMs = Math.min(this.delayMs, delayMs) - (wasLate ? 0 : this.stepMs);
      if (!wasLate) this.stepMs = Math.min(this.intervalMs * LONGEST_STEP, this.stepMs * 2);
    } else {
      // It came between this question and the one before, soon after that one where this one was long under way. A look that waited
      // for other nodes, or one block that was late, puts off the next question by little.
      const shownMs = Math.min(now, this.missingAtMs + AGAIN_MS) - AGAIN_MS / 2 - head.timeMs;
      this.delayMs = this.learned ? Math.min(shownMs, this.delayMs + MOST_LEARNED_MS) : shownMs;
      this.stepMs = SHORTEST_STEP_MS;
      this.learned = true;
    }
    this.head = head;
    this.intervalMs = this.intervalOf(chain);
    this.retryAt(this.expectedMs(1));
  }

  private expectedMs(blocks: number): number {
    return (this.head?.timeMs ?? 0) + blocks * this.intervalMs + this.delayMs;
  }

  private intervalOf(chain: HeaderChain): number {
    let [shortest, left] = [this.longestMs, LEARNED_FROM];
    let above: BlockHeader | null = null;
    for (const header of chain.newestFirst()) {
      if (above) shortest = Math.min(shortest, above.timeMs - header.timeMs);
      above = header;
      if (left-- === 0) break;
    }
    return Math.max(SHORTEST_INTERVAL_MS, shortest);
  }
}
