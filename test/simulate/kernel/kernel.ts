import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, type Hash } from 'node:crypto';
import { EventQueue } from '../../support/virtual-time/event-queue';
import { real } from '../../support/virtual-time/real-world';
import { SeededRandom } from './seeded-random';
import type { SimProcess } from './sim-process';

/** Where a history begins: a Saturday at noon, so that a UTC day ends in none. */
export const BEGINNING_MS = Date.UTC(2030, 5, 1, 12, 0, 0);
/** Lines kept for a violation's history; the hash covers all. */
const MOST_LINES = 60_000;

export interface SimEvent {
  atMs: number;
  order: number;
  readonly process: SimProcess | null;
  readonly work: () => unknown;
  cancelled: boolean;
}

/**
 * One history: a virtual clock, and the one place that decides what happens next. Everything that an instance waits for (a statement's
 * result, a node's answer, a timer) is an event here, and one event is carried out at a time: all that follows from it in JavaScript has
 * come to rest before the next one. So a history depends on its seed alone.
 */
export class Kernel {
  nowMs = BEGINNING_MS;
  /** What comes when: latencies and choices of the scheduler. */
  readonly schedule: SeededRandom;
  readonly lines: string[] = [];
  events = 0;
  /** Made by time so far. */
  ids = 0;
  private order = 0;
  private random: SeededRandom | null = null;
  private randomOf = -1;
  private readonly queue = new EventQueue<SimEvent>();
  private readonly hash: Hash = createHash('sha256');
  private readonly running = new AsyncLocalStorage<SimProcess>();

  constructor(readonly seed: number) {
    this.schedule = new SeededRandom(`schedule ${seed}`);
  }

  /**
   * What the service gets instead of random bytes. Each event has its own: libraries that draw some in store, for whichever history comes
   * next, change nothing for the others.
   */
  get entropy(): SeededRandom {
    if (!this.random || this.randomOf !== this.events)
      this.random = new SeededRandom(`entropy ${this.seed} ${this.events}`);
    this.randomOf = this.events;
    return this.random;
  }

  /** Since the beginning. */
  get elapsedMs(): number {
    return this.nowMs - BEGINNING_MS;
  }

  get process(): SimProcess | null {
    return this.running.getStore() ?? null;
  }

  within<T>(process: SimProcess, work: () => T): T {
    return this.running.run(process, work);
  }

  /** For a process: done in it, later while it is stopped, never once it is dead. Without one: the world's own, which may be awaited. */
  after(delayMs: number, process: SimProcess | null, work: () => unknown): SimEvent {
    const event = { atMs: this.nowMs + Math.max(0, delayMs), order: this.order++, process, work, cancelled: false };
    this.queue.push(event);
    return event;
  }

  /** Part of what has to be the same for the same seed. */
  log(line: string): void {
    const text = `${this.elapsedMs.toFixed(3)} ${line}`;
    this.hash.update(`${text}\n`);
    if (this.lines.length < MOST_LINES) this.lines.push(text);
  }

  digest(): string {
    return this.hash.copy().digest('hex');
  }

  /** Until `isOver`, asked before each event, or until nothing is left to happen. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const event = this.queue.pop();
      if (!event) return;
      const { process } = event;
      if (event.cancelled || process?.dead) continue;
      this.nowMs = Math.max(this.nowMs, event.atMs);
      if (process && process.stoppedUntilMs > this.nowMs) {
        this.queue.push(Object.assign(event, { atMs: process.stoppedUntilMs, order: this.order++ }));
        continue;
      }
      this.events += 1;
      if (process) this.within(process, event.work);
      else await event.work();
      await this.rest();
    }
  }

  /** All that follows from what has just happened has happened. */
  async rest(): Promise<void> {
    await new Promise<void>((resolve) => void real.setImmediate(resolve));
  }
}
