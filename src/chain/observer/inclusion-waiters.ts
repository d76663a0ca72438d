import { Injectable } from '@nestjs/common';
import type { BlockId } from '../proof/block-header';

/** Requests of this process that wait until a block includes their transaction. In memory only: a crash loses waiters, never facts. */
@Injectable()
export class InclusionWaiters {
  private readonly waiters = new Map<string, Set<(block: BlockId | null) => void>>();

  /** Call before the bytes are sent: a block may include them before the node's answer is read. */
  add(txId: string): InclusionWaiter {
    let resolve!: (block: BlockId | null) => void;
    const promise = new Promise<BlockId | null>((done) => (resolve = done));
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

  seen(txId: string, block: BlockId): void {
    for (const resolve of this.waiters.get(txId) ?? []) resolve(block);
  }
}

export interface InclusionWaiter {
  /** The block that includes it, or null when the time is up. */
  within(ms: number): Promise<BlockId | null>;
  end(): void;
}
