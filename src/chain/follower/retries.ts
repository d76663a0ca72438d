import type { Clock } from '../../common/clock';

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

/** What failed and is tried again after a growing while. */
export class Retries<Key, Item> {
  private readonly waiting = new Map<Key, { item: Item; dueMs: number; waitMs: number }>();

  constructor(private readonly clock: Clock) {}

  get keys(): Key[] {
    return [...this.waiting.keys()];
  }

  has(key: Key): boolean {
    return this.waiting.has(key);
  }

  /** True when it had not failed before. */
  failed(key: Key, item: Item): boolean {
    const before = this.waiting.get(key);
    const waitMs = before ? Math.min(LONGEST_MS, before.waitMs * 2) : FIRST_MS;
    this.waiting.set(key, { item, dueMs: this.clock.monotonicMs() + waitMs, waitMs });
    return !before;
  }

  done(key: Key): void {
    this.waiting.delete(key);
  }

  due(): Item[] {
    const now = this.clock.monotonicMs();
    return [...this.waiting.values()].filter(({ dueMs }) => dueMs <= now).map(({ item }) => item);
  }
}
