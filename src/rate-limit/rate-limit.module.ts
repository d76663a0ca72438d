import { Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { Sql } from '../database/sql';
import { BoundedWindowLimiter } from './bounded-window.limiter';
import { RateLimitStorage } from './rate-limit.storage';
import { SharedWindowLimiter } from './shared-window.limiter';
import { WindowSweep } from './window.sweep';

/** Where calls are counted: in this process, or for all instances in the database. */
@Module({
  providers: [
    {
      provide: RateLimitStorage,
      inject: [CONFIGURATION, Sql],
      useFactory: ({ rateLimit }: Configuration, sql: Sql) =>
        new RateLimitStorage(
          rateLimit.store === 'postgres'
            ? (name) => new SharedWindowLimiter(sql, name)
            : () => new BoundedWindowLimiter(),
        ),
    },
    WindowSweep,
  ],
  exports: [RateLimitStorage],
})
export class RateLimitModule {}
