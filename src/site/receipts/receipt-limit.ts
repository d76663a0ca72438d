import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddress, networksOf } from '../../common/http/client-ip';
import { RateLimitStorage } from '../../rate-limit/rate-limit.storage';

const MINUTE_MS = 60_000;
/** A page and its file are two. */
export const MOST_RECEIPTS = 120;
/** Likewise of an IPv6 network of 48 bits: one reader may have 65,536 of the smaller ones. */
export const MOST_RECEIPTS_WIDE = 480;

/** Each receipt reads the database, and a key may be guessed at: so many a minute for a network, found or not. */
@Injectable()
export class ReceiptLimit {
  constructor(private readonly limits: RateLimitStorage) {}

  /** Seconds to wait; null: go on. */
  async take(request: Pick<Request, 'ip' | 'socket'>): Promise<number | null> {
    const [network, wide] = networksOf(clientAddress(request));
    const seconds = await this.takeOne(network, MOST_RECEIPTS);
    return seconds ?? (wide === undefined ? null : this.takeOne(wide, MOST_RECEIPTS_WIDE));
  }

  private async takeOne(network: string, most: number): Promise<number | null> {
    const verdict = await this.limits.increment(network, MINUTE_MS, most, 0, 'shared-receipts');
    return verdict.isBlocked ? verdict.timeToExpire : null;
  }
}
