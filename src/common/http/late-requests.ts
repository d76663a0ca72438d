import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import { ServiceError } from '../errors/service.error';
import { currentArrivalMs } from './request-context';

/**
 * An older request writes nothing: the signed bytes live for a minute, and another instance may have refused a repeat of it, which its caller
 * takes for the end of the order. Callers believe that refusal after a longer time (docs/customers/en/idempotency.md).
 */
const OLDEST_MS = 10_000;

@Injectable()
export class LateRequests {
  constructor(private readonly clock: Clock) {}

  /** When the request arrived that the code is working for; background work begins now. */
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
