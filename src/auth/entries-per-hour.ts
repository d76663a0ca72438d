import { Injectable } from '@nestjs/common';
import { RateLimitStorage } from '../rate-limit/rate-limit.storage';

const HOUR_MS = 3_600_000;
const MOST = {
  'sign-in-log-user': 10,
  'sign-in-log-unknown': 10,
  'sign-in-log-refused': 100,
  'sign-in-log-done': 60,
  'session-log': 60,
} as const;

/** The audit log is never cleared, so what anybody may do as often as they like must not fill it: it has the first few of an hour. */
@Injectable()
export class EntriesPerHour {
  constructor(private readonly limits: RateLimitStorage) {}

  /** How many more of the hour are kept; null when this one is not. */
  async take(name: keyof typeof MOST, subject: string): Promise<number | null> {
    const { isBlocked, totalHits } = await this.limits.increment(subject, HOUR_MS, MOST[name], 0, name);
    return isBlocked ? null : MOST[name] - totalHits;
  }
}
