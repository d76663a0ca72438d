import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../common/clock';
import { type RateLimit, RateLimitStore, type Verdict } from './rate-limit.store';

interface Window {
  calls: number;
  readonly endsAtMs: number;
}

/** A flood of addresses may push out other addresses, never users: each limit has a cache of its own. */
const MOST_WINDOWS = 100_000;

/** For one instance. */
@Injectable()
export class MemoryRateLimitStore extends RateLimitStore {
  private readonly windows = new Map<string, LRUCache<string, Window>>();

  constructor(private readonly clock: Clock) {
    super();
  }

  override async take(limit: RateLimit, subject: string): Promise<Verdict> {
    const windows = this.windowsOf(limit);
    const nowMs = this.clock.monotonicMs();
    let window = windows.get(subject);
    if (!window || window.endsAtMs <= nowMs) {
      window = { calls: 0, endsAtMs: nowMs + limit.windowMs };
      windows.set(subject, window);
    }
    const allowed = window.calls < limit.calls;
    if (allowed) window.calls++;
    return { allowed, remaining: Math.max(0, limit.calls - window.calls), resetMs: window.endsAtMs - nowMs };
  }

  override async giveBack(limit: RateLimit, subject: string): Promise<void> {
    const windows = this.windowsOf(limit);
    const window = windows.get(subject);
    if (!window) return;
    // A window without a call in it has not started.
    if (window.calls <= 1) windows.delete(subject);
    else window.calls--;
  }

  private windowsOf({ name }: RateLimit): LRUCache<string, Window> {
    let windows = this.windows.get(name);
    if (!windows) {
      windows = new LRUCache({ max: MOST_WINDOWS });
      this.windows.set(name, windows);
    }
    return windows;
  }
}
