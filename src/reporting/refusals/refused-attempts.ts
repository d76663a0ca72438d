import { Injectable } from '@nestjs/common';
import { type AttemptDetail, type CountedAttempts, RefusedAttemptRepository } from './refused-attempt.repository';

/** An order that was refused before it had a row. Nothing in it may be a secret: operators and customers read it. */
export interface RefusedAttempt {
  readonly at: Date;
  readonly userId: string;
  readonly tokenId: string | null;
  readonly code: string;
  readonly fields: readonly string[];
  readonly receiver: string | null;
  readonly amount: string | null;
  readonly requestId: string | null;
}

/** Between two writes. What is beyond is counted all the same, and has no row of its own. */
const MOST_DETAILS = 500;
const MOST_DETAILS_OF_USER = 20;

/**
 * Refused attempts wait here and are written together, every two seconds, by one statement on one connection: a flood of them
 * costs what one of them costs, memory included, for equal ones are one entry. A crash loses those two seconds; nothing is decided by them.
 */
@Injectable()
export class RefusedAttempts {
  private counts = new Map<string, CountedAttempts>();
  private details = new Map<string, AttemptDetail>();
  private detailsOfUser = new Map<string, number>();
  private writing: Promise<void> | null = null;

  constructor(private readonly repository: RefusedAttemptRepository) {}

  note({ at, userId, tokenId, code, fields, receiver, amount, requestId }: RefusedAttempt): void {
    this.count({ day: at.toISOString().slice(0, 10), user_id: userId, code, attempts: 1 });
    const time = at.toISOString();
    this.detail({
      user_id: userId,
      token_id: tokenId,
      first_at: time,
      last_at: time,
      times: 1,
      code,
      fields: fields.length === 0 ? null : [...fields],
      receiver,
      amount,
      request_id: requestId,
    });
  }

  /** One write at a time; @throws what the database does, and then all is kept for the next one */
  async flush(): Promise<void> {
    if (this.writing) await this.writing.catch(() => undefined);
    if (this.counts.size === 0) return;
    this.writing = this.write();
    try {
      await this.writing;
    } finally {
      this.writing = null;
    }
  }

  private async write(): Promise<void> {
    const [counts, details] = [[...this.counts.values()], [...this.details.values()]];
    this.counts = new Map();
    this.details = new Map();
    this.detailsOfUser = new Map();
    try {
      await this.repository.add(counts, details);
    } catch (error) {
      // Where only the acknowledgement was lost they count twice: better than not at all, for numbers that decide nothing.
      for (const one of counts) this.count(one);
      for (const one of details) this.detail(one);
      throw error;
    }
  }

  private count(more: CountedAttempts): void {
    const key = `${more.day} ${more.user_id} ${more.code}`;
    const earlier = this.counts.get(key);
    this.counts.set(key, earlier ? { ...more, attempts: earlier.attempts + more.attempts } : more);
  }

  private detail(more: AttemptDetail): void {
    const { user_id: userId, token_id: tokenId, code, fields, receiver, amount } = more;
    const key = JSON.stringify([userId, tokenId, code, fields, receiver, amount]);
    const earlier = this.details.get(key);
    if (earlier) {
      const [first, last] = earlier.first_at < more.first_at ? [earlier, more] : [more, earlier];
      this.details.set(key, { ...last, first_at: first.first_at, times: earlier.times + more.times });
      return;
    }
    const ofUser = this.detailsOfUser.get(userId) ?? 0;
    if (ofUser >= MOST_DETAILS_OF_USER || this.details.size >= MOST_DETAILS) return;
    this.details.set(key, more);
    this.detailsOfUser.set(userId, ofUser + 1);
  }
}
