import { Injectable } from '@nestjs/common';
import { RateLimitStorage } from '../../auth/rate-limit/rate-limit.storage';
import { PanelError } from '../http/panel-errors';

const WINDOW_MS = 5 * 60_000;

/** One guesser from one place, one guesser of many users, many guessers of one user. */
const LIMITS = {
  pair: { name: 'sign-in', attempts: 5 },
  address: { name: 'sign-in-address', attempts: 30 },
  user: { name: 'sign-in-user', attempts: 50 },
} as const;

type Limit = (typeof LIMITS)[keyof typeof LIMITS];

/** Counts attempts to sign in before the password is looked at, for known and unknown addresses alike. */
@Injectable()
export class SignInThrottle {
  constructor(private readonly limits: RateLimitStorage) {}

  /** @throws PanelError throttled; else gives a function that takes the attempt back, once it has succeeded. */
  async attempt(email: string, address: string): Promise<() => Promise<void>> {
    const user = email.trim().toLowerCase().slice(0, 254);
    const taken: readonly (readonly [Limit, string])[] = [
      [LIMITS.pair, `${address} ${user}`],
      [LIMITS.address, address],
      [LIMITS.user, user],
    ];
    for (const [limit, subject] of taken) {
      const verdict = await this.limits.increment(subject, WINDOW_MS, limit.attempts, 0, limit.name);
      if (verdict.isBlocked) throw new PanelError('throttled', verdict.timeToExpire);
    }
    return async () => {
      for (const [limit, subject] of taken) await this.limits.giveBack(subject, WINDOW_MS, limit.name);
    };
  }
}
