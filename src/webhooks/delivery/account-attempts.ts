import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { SharedRateLimits } from '../../rate-limit/shared-rate-limits';

export const MOST_ATTEMPTS = 60;
const MINUTE_MS = 60_000;

/**
 * Attempts of what no order has paid for: an account has so many a minute, over all instances, for a customer who chooses thresholds and
 * sends deliveries again also chooses whose server is called.
 */
@Injectable()
export class AccountAttempts {
  /** Accounts that have used them up, and when their minute ends: no claim brings more of theirs before that. */
  private readonly usedUp = new Map<string, number>();

  constructor(
    private readonly limits: SharedRateLimits,
    private readonly clock: Clock,
  ) {}

  /** 0: one is taken. Else how long there is none, in milliseconds. */
  async take(userId: string): Promise<number> {
    const { isBlocked, msToExpire } = await this.limits.increment(
      userId,
      MINUTE_MS,
      MOST_ATTEMPTS,
      0,
      'webhook-attempts',
    );
    if (!isBlocked) return 0;
    const waitMs = Math.max(1, Math.ceil(msToExpire));
    this.usedUp.set(userId, this.clock.monotonicMs() + waitMs);
    return waitMs;
  }

  /** The accounts that have none left now. Those whose minute is over are forgotten. */
  waiting(): string[] {
    const nowMs = this.clock.monotonicMs();
    for (const [userId, endsAtMs] of this.usedUp) if (endsAtMs <= nowMs) this.usedUp.delete(userId);
    return [...this.usedUp.keys()];
  }
}
