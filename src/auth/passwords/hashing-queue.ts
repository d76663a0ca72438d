import { Injectable } from '@nestjs/common';

/**
 * Of the four threads that Node has for file system, name look-ups and cryptography, one: a flood of sign-ins leaves the others, and a
 * core, to everybody else. At 20 to 50 ms a hash that is still more sign-ins than there are operators.
 */
const AT_ONCE = 1;
/** Of each kind; two seconds' worth. */
const MOST_WAITING = 40;

/** There are more passwords to look at than may wait. */
export class TooManyPasswordsError extends Error {
  constructor() {
    super('too many passwords wait to be looked at');
    this.name = 'TooManyPasswordsError';
  }
}

/** `known`: a session, a link or a browser of the user's own stands behind it. */
export type HashedFor = 'known' | 'stranger';

/** Passwords are hashed here and nowhere else. Strangers wait behind those who are known: a flood of theirs locks nobody out. */
@Injectable()
export class HashingQueue {
  private readonly waiting: Record<HashedFor, (() => void)[]> = { known: [], stranger: [] };
  private running = 0;

  /** @throws TooManyPasswordsError with nothing done */
  async run<T>(whom: HashedFor, hash: () => Promise<T>): Promise<T> {
    await this.turn(whom);
    try {
      return await hash();
    } finally {
      this.running -= 1;
      this.next();
    }
  }

  /** How many wait. */
  waitingOf(whom: HashedFor): number {
    return this.waiting[whom].length;
  }

  private async turn(whom: HashedFor): Promise<void> {
    const queue = this.waiting[whom];
    if (queue.length >= MOST_WAITING) throw new TooManyPasswordsError();
    const turn = new Promise<void>((resolve) => queue.push(resolve));
    this.next();
    await turn;
  }

  private next(): void {
    if (this.running >= AT_ONCE) return;
    const begin = this.waiting.known.shift() ?? this.waiting.stranger.shift();
    if (!begin) return;
    this.running += 1;
    begin();
  }
}
