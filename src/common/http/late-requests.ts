import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import { ServiceError } from '../errors/service.error';
import { currentArrivalMs } from './request-context';

/**
 * Nothing is written for a request that is older: the signed bytes live for a minute, and its caller, whose line may be cut, may have been answered
 * on another instance that there is no order. Callers believe that answer after a longer time (docs/customers/en/idempotency.md).
 */
const OLDEST_MS = 10_000;

@Injectable()
export class LateRequests {
  constructor(private readonly clock: Clock) {}

  /** Of the request that the code is working for; background work begins now. */
  arrivedMs(): number {
    return currentArrivalMs() ?? this.clock.monotonicMs();
  }

  isLate(arrivedMs: number): boolean {
    return this.clock.monotonicMs() - arrivedMs > OLDEST_MS;
  }

  /** @throws ServiceError INTERNAL */
  refuse(arrivedMs = this.arrivedMs()): void {
    if (this.isLate(arrivedMs)) throw new ServiceError('INTERNAL', 'the request waited for too long to be written');
  }
}
