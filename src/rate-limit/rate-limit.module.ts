import { Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BoundedWindows } from './bounded-windows';
import { RateLimitWindowRepository } from './rate-limit-window.repository';
import { RateLimitStorage } from './rate-limit.storage';
import { SharedRateLimits } from './shared-rate-limits';
import { WindowSweep } from './window.sweep';

/** Where calls are counted: in this process, or for all instances in the database. */
@Module({
  providers: [
    {
      provide: RateLimitStorage,
      inject: [CONFIGURATION, RateLimitWindowRepository],
      useFactory: ({ rateLimit }: Configuration, windows: RateLimitWindowRepository) =>
        new RateLimitStorage(
          rateLimit.store === 'postgres' ? (name) => windows.counterOf(name) : () => new BoundedWindows(),
        ),
    },
    RateLimitWindowRepository,
    SharedRateLimits,
    WindowSweep,
  ],
  exports: [RateLimitStorage, SharedRateLimits],
})
export class RateLimitModule {}
