import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/errors/service.error';
import { networkOf } from '../../common/http/client-ip';
import { ExpiringTable } from '../../rate-limit/expiring-table';
import { limitHeaders } from '../../rate-limit/limit-headers';
import { RateLimitStorage } from '../../rate-limit/rate-limit.storage';

const LIMIT = { name: 'failed-tokens', calls: 30, windowMs: 60_000 };
const MOST_REMEMBERED = 100_000;

/** Callers who guess tokens are slowed down by address. A request without a token is not counted: it guesses nothing, and costs no query. */
@Injectable()
export class FailedTokens {
  /** Windows that are full. No call is given back to them, so until they end the refusal needs no database. */
  private readonly full = new ExpiringTable<null>(MOST_REMEMBERED);

  constructor(private readonly limits: RateLimitStorage) {}

  async refusalOf(address: string): Promise<ServiceError> {
    const network = networkOf(address);
    const remembered = this.full.find(network);
    if (remembered) return tooMany(Math.ceil(this.full.msLeft(remembered) / 1000));

    const { name, calls, windowMs } = LIMIT;
    const verdict = await this.limits.increment(network, windowMs, calls, 0, name);
    if (!verdict.isBlocked) return new ServiceError('UNAUTHENTICATED', 'No good token');
    this.full.put(network, null, verdict.msToExpire);
    return tooMany(verdict.timeToExpire);
  }
}

function tooMany(seconds: number): ServiceError {
  const verdict = { limit: LIMIT.calls, totalHits: LIMIT.calls, isBlocked: true, timeToExpire: seconds };
  return new ServiceError('RATE_LIMITED', 'Too many bad tokens', { headers: limitHeaders(verdict) });
}
