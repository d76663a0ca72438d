import { Injectable } from '@nestjs/common';
import { RateLimitWindowRepository } from './rate-limit-window.repository';
import { RateLimitStorage } from './rate-limit.storage';

/**
 * Limits that are counted in the database whatever RATE_LIMIT_STORE says: so they hold over all instances, and a restart begins none again.
 * For what only somebody known can reach, or strangers would choose how many rows there are.
 */
@Injectable()
export class SharedRateLimits extends RateLimitStorage {
  constructor(windows: RateLimitWindowRepository) {
    super((name) => windows.counterOf(name));
  }
}
