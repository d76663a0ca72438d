import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { RateLimitWindowRepository } from './rate-limit-window.repository';

/**
 * Windows that all instances share. The library would ask each instance's own clock when a window ends and create its table
 * itself; here the database's clock decides, and the table comes by migration: the application's role may not create any.
 */
export class SharedWindowLimiter extends RateLimiterPostgres {
  constructor(
    private readonly windows: RateLimitWindowRepository,
    name: string,
  ) {
    // Only `_upsert` and `_delete` reach the store.
    super({
      storeClient: windows,
      storeType: 'client',
      tableName: 'rate_limit_windows',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points: Number.MAX_SAFE_INTEGER,
      duration: 60,
    });
  }

  /** The library's way to a store: `points` are added to the key's window, which begins now if none is open. */
  async _upsert(key: string, points: number, msDuration: number) {
    const { calls, msLeft } = await this.windows.count(key, points, msDuration);
    return { rows: [{ points: calls, expire: Date.now() + msLeft }] };
  }

  /** Empty windows only: a call counted since then stays. */
  _delete(key: string): Promise<boolean> {
    return this.windows.deleteEmpty(key);
  }
}
