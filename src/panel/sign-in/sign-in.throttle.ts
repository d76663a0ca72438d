import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { KnownNetworkRepository } from '../../auth/known-networks/known-network.repository';
import { type HashedFor, TooManyPasswordsError } from '../../auth/passwords/hashing-queue';
import { clientAddress, networkOf, networksOf } from '../../common/http/client-ip';
import { firstCharacters } from '../../common/text';
import { RateLimitStorage } from '../../rate-limit/rate-limit.storage';
import { SharedRateLimits } from '../../rate-limit/shared-rate-limits';
import type { PanelRequest, UserVisit } from '../http/visit';
import { PanelError } from '../http/panel-errors';
import { normaliseEmail } from '../../users/user.validation';
import { KnownBrowsers } from './known-browsers';

const FIVE_MINUTES_MS = 5 * 60_000;
const A_DAY_MS = 86_400_000;

/**
 * One guesser from one place, one guesser of many users, many guessers of one user. A browser or network that has signed in before
 * is counted apart from the many, or they could lock a user out; a stolen cookie or a shared network is then worth what a guesser has anyway.
 * Of codes there are only a million, three of them right at a time, so they are counted by the day: with 20 a day, one guesser in 45 years.
 */
const LIMITS = {
  pair: { name: 'sign-in', attempts: 5, windowMs: FIVE_MINUTES_MS },
  address: { name: 'sign-in-address', attempts: 30, windowMs: FIVE_MINUTES_MS },
  wide: { name: 'sign-in-wide', attempts: 120, windowMs: FIVE_MINUTES_MS },
  user: { name: 'sign-in-user', attempts: 50, windowMs: FIVE_MINUTES_MS },
  browser: { name: 'sign-in-browser', attempts: 5, windowMs: FIVE_MINUTES_MS },
  known: { name: 'sign-in-known', attempts: 50, windowMs: FIVE_MINUTES_MS },
  codePair: { name: 'sign-in-code', attempts: 5, windowMs: FIVE_MINUTES_MS },
  codeUser: { name: 'sign-in-code-user', attempts: 20, windowMs: A_DAY_MS },
  codeBrowser: { name: 'sign-in-code-browser', attempts: 5, windowMs: FIVE_MINUTES_MS },
  codeKnown: { name: 'sign-in-code-known', attempts: 20, windowMs: A_DAY_MS },
  link: { name: 'link', attempts: 10, windowMs: FIVE_MINUTES_MS },
  linkAddress: { name: 'link-address', attempts: 30, windowMs: FIVE_MINUTES_MS },
  linkWide: { name: 'link-wide', attempts: 120, windowMs: FIVE_MINUTES_MS },
} as const;

type Limit = (typeof LIMITS)[keyof typeof LIMITS];
type Take = (limit: Limit, subject: string) => Promise<number>;
type TakeAll = (take: Take) => Promise<number>;
type Look<T> = (whom: HashedFor) => Promise<T | null>;

/**
 * Counts attempts before they are looked at, for known and unknown addresses alike. Each method returns what `look` has found; an
 * attempt that found something, or was not looked at, does not count. @throws PanelError throttled
 */
@Injectable()
export class SignInThrottle {
  constructor(
    private readonly limits: RateLimitStorage,
    private readonly sharedLimits: SharedRateLimits,
    private readonly browsers: KnownBrowsers,
    private readonly networks: KnownNetworkRepository,
  ) {}

  /** A password for this address. */
  attempt<T>(request: PanelRequest, email: string, look: Look<T>): Promise<T | null> {
    const user = firstCharacters(normaliseEmail(email), 254);
    return this.password(user, networksOf(clientAddress(request)), this.browsers.find(request, user), look);
  }

  /** The password of somebody who is signed in and has to give it once more. */
  again<T>(request: PanelRequest, { user }: UserVisit, look: Look<T>): Promise<T | null> {
    return this.password(user.email, networksOf(clientAddress(request)), digestOf(request.sessionID), look);
  }

  /**
   * Use of a link that exists and sets a password; a password that is refused counts, for judging one takes a third of a second. Other
   * links cost a look by their hash and have nothing to guess: 256 bits. Also by network: a stranger with many mailboxes has many links.
   */
  link<T>(request: PanelRequest, key: string, look: () => Promise<T | null>): Promise<T | null> {
    const takeAll: TakeAll = async (take) =>
      (await take(LIMITS.link, digestOf(key))) || this.takeOfNetwork(request, take);
    return this.counted(this.limits, takeAll, look);
  }

  /** Likewise, with a sign-up, which has no link yet. */
  signUp<T>(request: PanelRequest, look: () => Promise<T | null>): Promise<T | null> {
    return this.counted(this.limits, (take) => this.takeOfNetwork(request, take), look);
  }

  /** A code for the second factor of somebody whose password was right: counted over all instances and restarts. */
  code<T>(request: PanelRequest, email: string, look: Look<T>): Promise<T | null> {
    const browser = this.browsers.find(request, email);
    const takeAll: TakeAll = async (take) =>
      browser === null
        ? (await take(LIMITS.codePair, `${networkOf(clientAddress(request))} ${email}`)) ||
          (await take(LIMITS.codeUser, email))
        : (await take(LIMITS.codeBrowser, `${email} ${browser}`)) || (await take(LIMITS.codeKnown, email));
    return this.counted(this.sharedLimits, takeAll, () => look(browser === null ? 'stranger' : 'known'));
  }

  private async takeOfNetwork(request: PanelRequest, take: Take): Promise<number> {
    const [network, wide] = networksOf(clientAddress(request));
    return (await take(LIMITS.linkAddress, network)) || (wide === undefined ? 0 : take(LIMITS.linkWide, wide));
  }

  private password<T>(
    user: string,
    [network, wide]: ReturnType<typeof networksOf>,
    browser: string | null,
    look: Look<T>,
  ): Promise<T | null> {
    const takeAll: TakeAll = async (take) =>
      browser === null
        ? (await take(LIMITS.pair, `${network} ${user}`)) ||
          (await take(LIMITS.address, network)) ||
          (wide === undefined ? 0 : await take(LIMITS.wide, wide)) ||
          (await this.takeOfUser(take, user, network))
        : (await take(LIMITS.browser, `${user} ${browser}`)) || (await take(LIMITS.known, user));
    return this.counted(this.limits, takeAll, () => look(browser === null ? 'stranger' : 'known'));
  }

  private async counted<T>(
    limits: RateLimitStorage,
    takeAll: TakeAll,
    look: () => Promise<T | null>,
  ): Promise<T | null> {
    const taken: (() => Promise<void>)[] = [];
    const giveBack = async () => {
      for (const one of taken) await one();
    };
    const refusedFor = await takeAll(async ({ name, attempts, windowMs }, subject) => {
      const { isBlocked, timeToExpire } = await limits.increment(subject, windowMs, attempts, 0, name);
      if (isBlocked) return timeToExpire;
      taken.push(() => limits.giveBack(subject, timeToExpire, name));
      return 0;
    });
    if (refusedFor > 0) {
      await giveBack();
      throw new PanelError('throttled', refusedFor);
    }
    try {
      const found = await look();
      if (found !== null) await giveBack();
      return found;
    } catch (error) {
      if (error instanceof TooManyPasswordsError) await giveBack();
      throw error;
    }
  }

  /** The user's networks are read only when many guess: all other answers take the same time. */
  private async takeOfUser(take: Take, user: string, network: string): Promise<number> {
    const refusedFor = await take(LIMITS.user, user);
    if (refusedFor === 0 || !(await this.networks.isKnown(user, network))) return refusedFor;
    return take(LIMITS.known, user);
  }
}

/** What is secret stays out of the windows' keys. */
function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
