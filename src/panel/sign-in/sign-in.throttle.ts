import { Injectable } from '@nestjs/common';
import { type RateLimit, RateLimitStore } from '../../auth/rate-limit/rate-limit.store';
import { PanelError } from '../http/panel-errors';

const WINDOW_MS = 5 * 60_000;

/** One guesser from one place, one guesser of many users, many guessers of one user. */
const LIMITS = {
  pair: { name: 'sign-in', calls: 5, windowMs: WINDOW_MS },
  address: { name: 'sign-in-address', calls: 30, windowMs: WINDOW_MS },
  user: { name: 'sign-in-user', calls: 50, windowMs: WINDOW_MS },
} satisfies Record<string, RateLimit>;

type Taken = readonly (readonly [RateLimit, string])[];

/** Counts attempts to sign in before the password is looked at, for known and unknown addresses alike. */
@Injectable()
export class SignInThrottle {
  constructor(private readonly limits: RateLimitStore) {}

  /** @throws PanelError throttled; else gives a function that takes the attempt back, once it has succeeded. */
  async attempt(email: string, address: string): Promise<() => Promise<void>> {
    const user = email.trim().toLowerCase().slice(0, 254);
    const taken: Taken = [
      [LIMITS.pair, `${address} ${user}`],
      [LIMITS.address, address],
      [LIMITS.user, user],
    ];
    for (const [limit, subject] of taken) {
      const verdict = await this.limits.take(limit, subject);
      if (!verdict.allowed) throw new PanelError('throttled', Math.max(1, Math.ceil(verdict.resetMs / 1000)));
    }
    return async () => {
      for (const [limit, subject] of taken) await this.limits.giveBack(limit, subject);
    };
  }
}
