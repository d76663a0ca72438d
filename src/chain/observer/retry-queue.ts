import type { Clock } from '../../common/clock';

/** A failure mostly repeats; a lock is mostly free a moment later. */
const PACES = {
  failed: { firstMs: 2_000, longestMs: 60_000 },
  locked: { firstMs: 500, longestMs: 2_000 },
};

/** Items that failed and are retried after growing delays. */
export class RetryQueue<Key, Item> {
  private readonly waiting = new Map<Key, { item: Item; dueMs: number; waitMs: number }>();

  constructor(private readonly clock: Clock) {}

  get keys(): Key[] {
    return [...this.waiting.keys()];
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  has(key: Key): boolean {
    return this.waiting.has(key);
  }

  /** True when it had not failed before. */
  failed(key: Key, item: Item, pace: keyof typeof PACES = 'failed'): boolean {
    const before = this.waiting.get(key);
    const { firstMs, longestMs } = PACES[pace];
    const waitMs = before ? Math.min(longestMs, before.waitMs * 2) : firstMs;
    this.waiting.set(key, { item, dueMs: this.clock.monotonicMs() + waitMs, waitMs });
    return !before;
  }

  done(key: Key): void {
    this.waiting.delete(key);
  }

  clear(): void {
    this.waiting.clear();
  }

  due(): Item[] {
    const now = this.clock.monotonicMs();
    return [...this.waiting.values()].filter(({ dueMs }) => dueMs <= now).map(({ item }) => item);
  }
}
