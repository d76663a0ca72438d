import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddress, networkOf } from '../../common/http/client-ip';
import { RateLimitStorage } from '../../rate-limit/rate-limit.storage';

const MINUTE_MS = 60_000;
/** A page and its file are two. */
export const MOST_RECEIPTS = 120;

/** Each receipt reads the database, and a key may be guessed at: so many a minute for a network, found or not. */
@Injectable()
export class ReceiptLimit {
  constructor(private readonly limits: RateLimitStorage) {}

  /** Seconds to wait; null: go on. */
  async take(request: Request): Promise<number | null> {
    const network = networkOf(clientAddress(request));
    const verdict = await this.limits.increment(network, MINUTE_MS, MOST_RECEIPTS, 0, 'shared-receipts');
    return verdict.isBlocked ? verdict.timeToExpire : null;
  }
}
