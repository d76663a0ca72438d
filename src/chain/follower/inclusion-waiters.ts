import { Injectable } from '@nestjs/common';

/** Requests of this process that wait until a block includes their transaction. In memory only: a crash loses waiters, never facts. */
@Injectable()
export class InclusionWaiters {
  private readonly waiters = new Map<string, Set<(block: SeenIn | null) => void>>();

  /** Call before the bytes are sent: a block may include them before the node's answer is read. */
  add(txId: string): InclusionWaiter {
    let resolve!: (block: SeenIn | null) => void;
    const promise = new Promise<SeenIn | null>((done) => (resolve = done));
    const waiting = this.waiters.get(txId) ?? new Set();
    this.waiters.set(txId, waiting.add(resolve));
    return {
      within: async (ms) => {
        const timer = setTimeout(() => resolve(null), Math.max(0, ms));
        return promise.finally(() => clearTimeout(timer));
      },
      end: () => {
        waiting.delete(resolve);
        if (waiting.size === 0) this.waiters.delete(txId);
        resolve(null);
      },
    };
  }

  get any(): boolean {
    return this.waiters.size > 0;
  }

  get txIds(): Iterable<string> {
    return this.waiters.keys();
  }

  seen(txId: string, block: SeenIn): void {
    for (const resolve of this.waiters.get(txId) ?? []) resolve(block);
  }
}

export interface SeenIn {
  readonly number: number;
  readonly id: string;
}

export interface InclusionWaiter {
  /** The block that includes it, or null when the time is up. */
  within(ms: number): Promise<SeenIn | null>;
  end(): void;
}
