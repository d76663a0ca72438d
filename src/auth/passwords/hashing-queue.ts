import { Injectable } from '@nestjs/common';

/**
 * One of the four threads that Node has for file system, name look-ups and cryptography: a flood of sign-ins leaves the others, and a core,
 * to all other work. At 20 to 50 ms a hash that is still more sign-ins than there are operators.
 */
const AT_ONCE = 1;
/** Limit for each kind; two seconds' worth. */
const MOST_WAITING = 40;
/** Limit for each owner, so that none fills the queue alone. It is above what any limit of attempts lets through at once from one place. */
const MOST_OF_ONE = 10;

/** There are more passwords to look at than may wait. */
export class TooManyPasswordsError extends Error {
  constructor() {
    super('too many passwords wait to be looked at');
    this.name = 'TooManyPasswordsError';
  }
}

/** `known`: a session, a link or a browser of the user's own stands behind it. */
export type HashedFor = 'known' | 'stranger';

/** Passwords are hashed here and nowhere else. Strangers wait behind those who are known: a flood of theirs locks no user out. */
@Injectable()
export class HashingQueue {
  private readonly waiting: Record<HashedFor, (() => void)[]> = { known: [], stranger: [] };
  /** How many places each has. Strangers take none of somebody who is known. */
  private readonly places: Record<HashedFor, Map<string, number>> = { known: new Map(), stranger: new Map() };
  private running = 0;

  /** `owner`: for whose account, as it was given. @throws TooManyPasswordsError with nothing done */
  async run<T>(whom: HashedFor, owner: string, hash: () => Promise<T>): Promise<T> {
    const places = this.places[whom];
    const own = places.get(owner) ?? 0;
    if (own >= MOST_OF_ONE) throw new TooManyPasswordsError();
    const turn = this.turn(whom);
    places.set(owner, own + 1);
    try {
      await turn;
      return await this.hash(hash);
    } finally {
      this.leave(places, owner);
    }
  }

  private async hash<T>(hash: () => Promise<T>): Promise<T> {
    try {
      return await hash();
    } finally {
      this.running -= 1;
      this.next();
    }
  }

  private leave(places: Map<string, number>, owner: string): void {
    const left = places.get(owner)! - 1;
    if (left > 0) places.set(owner, left);
    else places.delete(owner);
  }

  /** How many wait. */
  waitingOf(whom: HashedFor): number {
    return this.waiting[whom].length;
  }

  private turn(whom: HashedFor): Promise<void> {
    const queue = this.waiting[whom];
    if (queue.length >= MOST_WAITING) throw new TooManyPasswordsError();
    const turn = new Promise<void>((resolve) => queue.push(resolve));
    this.next();
    return turn;
  }

  private next(): void {
    if (this.running >= AT_ONCE) return;
    const begin = this.waiting.known.shift() ?? this.waiting.stranger.shift();
    if (!begin) return;
    this.running += 1;
    begin();
  }
}
