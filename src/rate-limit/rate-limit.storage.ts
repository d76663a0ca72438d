import type { ThrottlerStorage } from '@nestjs/throttler';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** Whether one call is let in. Times in whole seconds, rounded up: a caller who waits for as long as `Retry-After` says is let in. */
export type Verdict = Awaited<ReturnType<ThrottlerStorage['increment']>> & {
  /** `timeToExpire`, not rounded. */
  readonly msToExpire: number;
};

type Limiter = Pick<RateLimiterAbstract, 'penalty' | 'reward' | 'delete'>;

/** Fixed windows that start at the first call in them, counted by the library; the limit is each caller's own, so it is compared here. */
export class RateLimitStorage implements ThrottlerStorage {
  private readonly limiters = new Map<string, Limiter>();

  constructor(private readonly newLimiter: (name: string) => Limiter) {}

  /** Counts a call, unless the window is full: a refused call neither counts nor extends. */
  async increment(key: string, windowMs: number, limit: number, _block: number, name: string): Promise<Verdict> {
    const duration = { customDuration: windowMs / 1000 };
    const { consumedPoints, msBeforeNext } = await this.limiterOf(name).penalty(key, 1, duration);
    const isBlocked = consumedPoints > limit;
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    if (isBlocked) await this.giveBack(key, seconds, name);
    return {
      totalHits: Math.min(consumedPoints, limit),
      timeToExpire: seconds,
      msToExpire: msBeforeNext,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    };
  }

  /** The call was refused after all, so it never happened. `secondsLeft`: of the window that counted it. */
  async giveBack(key: string, secondsLeft: number, name: string): Promise<void> {
    const limiter = this.limiterOf(name);
    const { consumedPoints } = await limiter.reward(key, 1, { customDuration: secondsLeft });
    // An empty window has not begun.
    if (consumedPoints <= 0) await limiter.delete(key);
  }

  private limiterOf(name: string): Limiter {
    let limiter = this.limiters.get(name);
    if (!limiter) {
      limiter = this.newLimiter(name);
      this.limiters.set(name, limiter);
    }
    return limiter;
  }
}
