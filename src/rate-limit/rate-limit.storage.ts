import type { ThrottlerStorage } from '@nestjs/throttler';
import type { WindowCounter } from './window-counter';

/** Whether one call is let in. Times in whole seconds, rounded up: a caller who waits for as long as `Retry-After` says is let in. */
export type Verdict = Awaited<ReturnType<ThrottlerStorage['increment']>> & {
  /** `timeToExpire`, not rounded. */
  readonly msToExpire: number;
};

/** Fixed windows of each limit. What a caller may is the caller's own, so it is compared here. */
export class RateLimitStorage implements ThrottlerStorage {
  private readonly counters = new Map<string, WindowCounter>();

  constructor(private readonly newCounter: (name: string) => WindowCounter) {}

  /** Counts a call, unless the window is full: a refused call neither counts nor extends. */
  async increment(key: string, windowMs: number, limit: number, _block: number, name: string): Promise<Verdict> {
    const { calls, msLeft } = await this.counterOf(name).add(key, windowMs);
    const isBlocked = calls > limit;
    const seconds = Math.max(1, Math.ceil(msLeft / 1000));
    if (isBlocked) await this.giveBack(key, seconds, name);
    return {
      totalHits: Math.min(calls, limit),
      timeToExpire: seconds,
      msToExpire: msLeft,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    };
  }

  /** The call was refused after all, so it never happened. `secondsLeft`: of the window that counted it. */
  async giveBack(key: string, secondsLeft: number, name: string): Promise<void> {
    await this.counterOf(name).takeBack(key, secondsLeft * 1000);
  }

  private counterOf(name: string): WindowCounter {
    const counter = this.counters.get(name) ?? this.newCounter(name);
    this.counters.set(name, counter);
    return counter;
  }
}
