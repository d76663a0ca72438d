import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KnownNetworkRepository } from '../../auth/known-networks/known-network.repository';
import { networkOf } from '../../common/http/client-ip';
import { firstCharacters } from '../../common/text';
import { RateLimitStorage } from '../../rate-limit/rate-limit.storage';
import type { PanelRequest, SignedInPageContext } from '../http/page-context';
import { PanelError } from '../http/panel-errors';
import { KnownBrowsers } from './known-browsers';

const WINDOW_MS = 5 * 60_000;

/**
 * One guesser from one place, one guesser of many users, many guessers of one user. A browser or network that has signed in before
 * is counted apart from the many, or they could lock a user out; a stolen cookie or a shared network is then worth what a guesser has anyway.
 */
const LIMITS = {
  pair: { name: 'sign-in', attempts: 5 },
  address: { name: 'sign-in-address', attempts: 30 },
  user: { name: 'sign-in-user', attempts: 50 },
  browser: { name: 'sign-in-browser', attempts: 5 },
  known: { name: 'sign-in-known', attempts: 50 },
} as const;

type Limit = (typeof LIMITS)[keyof typeof LIMITS];
type Taken = readonly [limit: Limit, subject: string];

/** Counts attempts to sign in before the password is looked at, for known and unknown addresses alike. */
@Injectable()
export class SignInThrottle {
  constructor(
    private readonly limits: RateLimitStorage,
    private readonly browsers: KnownBrowsers,
    private readonly networks: KnownNetworkRepository,
  ) {}

  /** Returns a function that takes the attempt back once it has succeeded. @throws PanelError throttled */
  attempt(request: PanelRequest, email: string): Promise<() => Promise<void>> {
    const user = firstCharacters(email.trim().toLowerCase(), 254);
    return this.count(user, networkOf(request.ip ?? ''), this.browsers.find(request, user));
  }

  /** The same for somebody who is signed in and has to give the password once more. */
  attemptAgain(request: PanelRequest, { user }: SignedInPageContext): Promise<() => Promise<void>> {
    const session = createHash('sha256').update(request.sessionID).digest('base64url');
    return this.count(user.email, networkOf(request.ip ?? ''), session);
  }

  private async count(user: string, network: string, browser: string | null): Promise<() => Promise<void>> {
    const taken: Taken[] = [];
    const giveBack = async () => {
      for (const [limit, subject] of taken) await this.limits.giveBack(subject, WINDOW_MS, limit.name);
    };
    const take = async (limit: Limit, subject: string): Promise<number> => {
      const verdict = await this.limits.increment(subject, WINDOW_MS, limit.attempts, 0, limit.name);
      if (verdict.isBlocked) return verdict.timeToExpire;
      taken.push([limit, subject]);
      return 0;
    };
    const refusedFor =
      browser === null
        ? (await take(LIMITS.pair, `${network} ${user}`)) ||
          (await take(LIMITS.address, network)) ||
          (await this.takeOfUser(take, user, network))
        : (await take(LIMITS.browser, `${user} ${browser}`)) || (await take(LIMITS.known, user));
    if (refusedFor === 0) return giveBack;
    await giveBack();
    throw new PanelError('throttled', refusedFor);
  }

  /** The user's networks are read only when many guess: all other answers take the same time. */
  private async takeOfUser(
    take: (limit: Limit, subject: string) => Promise<number>,
    user: string,
    network: string,
  ): Promise<number> {
    const refusedFor = await take(LIMITS.user, user);
    if (refusedFor === 0 || !(await this.networks.isKnown(user, network))) return refusedFor;
    return take(LIMITS.known, user);
  }
}
