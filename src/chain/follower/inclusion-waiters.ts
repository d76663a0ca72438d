import { Injectable } from '@nestjs/common';

/** Requests of this process that wait for their transaction to be in a block. In memory alone: losing one loses a wait, never a fact. */
@Injectable()
export class InclusionWaiters {
  private readonly waits = new Map<string, Set<(block: SeenIn | null) => void>>();

  /** Call before the bytes are sent: a block may hold them before the node's answer is read. */
  expect(txId: string): InclusionWaiter {
    let resolve!: (block: SeenIn | null) => void;
    const promise = new Promise<SeenIn | null>((done) => (resolve = done));
    const waiting = this.waits.get(txId) ?? new Set();
    this.waits.set(txId, waiting.add(resolve));
    return {
      within: async (ms) => {
        const timer = setTimeout(() => resolve(null), Math.max(0, ms));
        return promise.finally(() => clearTimeout(timer));
      },
      end: () => {
        waiting.delete(resolve);
        if (waiting.size === 0) this.waits.delete(txId);
        resolve(null);
      },
    };
  }

  get any(): boolean {
    return this.waits.size > 0;
  }

  seen(txId: string, block: SeenIn): void {
    for (const resolve of this.waits.get(txId) ?? []) resolve(block);
  }
}

export interface SeenIn {
  readonly number: number;
  readonly id: string;
}

export interface InclusionWaiter {
  /** The block that holds it, or null when the time is up. */
  within(ms: number): Promise<SeenIn | null>;
  end(): void;
}
