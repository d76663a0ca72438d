import { Injectable } from '@nestjs/common';

/** The instance's own time. It paces work and fills log lines; money and reclaims go by block time, leases by the database's. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Milliseconds that only ever grow: for time-outs and ages. */
  monotonicMs(): number {
    return performance.now();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  /** Waits for the end of something, but so long at most; leaves no timer behind. @throws what `awaited` throws */
  async waitAtMost(ms: number, awaited: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    await Promise.race([awaited, this.sleep(ms, over.signal)]).finally(() => over.abort());
  }
}
