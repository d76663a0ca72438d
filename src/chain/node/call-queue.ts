import { CALL_PRIORITIES, type CallPriority, longestWaitMs } from './call-priority';
import { CallRate } from './call-rate';
import type { HttpReply } from './node-http';

const HUNG = new Set(['time-out', 'connect time-out', 'ETIMEDOUT', 'EHOSTUNREACH']);

interface Waiting {
  begin(): void;
  giveUp(reason: string): void;
}

/**
 * Limits the calls to one node: how many at a time, and how many a second. The others wait, by priority and then in the order of their
 * arrival; a call's own time-out begins with its turn. When a call times out and no other call was answered since it began, the node
 * hangs, and all that wait for a connection are dismissed, so that they go to another node instead of timing out one after the other.
 */
export class CallQueue {
  private inUse = 0;
  private answers = 0;
  private readonly lines = new Map<CallPriority, Waiting[]>(CALL_PRIORITIES.map((priority) => [priority, []]));
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connections: number,
    readonly rate = new CallRate(null),
  ) {}

  get waiting(): number {
    return [...this.lines.values()].reduce((sum, line) => sum + line.length, 0);
  }

  /** For so long the node wants no calls. */
  get pausedMs(): number {
    return this.rate.pausedMs(performance.now());
  }

  async run(priority: CallPriority, call: () => Promise<HttpReply>): Promise<HttpReply> {
    const reason = await this.turn(priority);
    if (reason !== null) return { kind: 'undelivered', reason, neverAsked: true };
    const before = this.answers;
    try {
      const reply = await call();
      const hung = (reply.kind === 'unknown' || reply.kind === 'undelivered') && HUNG.has(reply.reason);
      if (!hung) this.answers++;
      else if (this.answers === before && this.inUse === this.connections) this.dismiss('the node answers nobody');
      if (reply.kind === 'limited') this.rate.refused(reply.waitMs, performance.now());
      if (reply.kind === 'json') this.rate.accepted(performance.now());
      return reply;
    } finally {
      this.inUse--;
      this.rate.end(priority === 'blocks', performance.now());
      this.beginWaiting();
    }
  }

  /** Null once it is this call's turn, else why it got none. */
  private turn(priority: CallPriority): Promise<string | null> | null {
    // A place may have become free since the timer was set: those who waited for it go first.
    this.beginWaiting();
    if (this.waitMs(priority) === 0) {
      this.begin(priority);
      return null;
    }
    const line = this.lines.get(priority)!;
    const longestMs = longestWaitMs(priority);
    return new Promise((resolve) => {
      const end = (reason: string | null) => {
        clearTimeout(timer);
        resolve(reason);
      };
      const waiting: Waiting = {
        begin: () => {
          this.begin(priority);
          end(null);
        },
        giveUp: end,
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1);
        end(`its turn did not come within ${longestMs / 1000} s`);
      }, longestMs);
      line.push(waiting);
      this.beginWaiting();
    });
  }

  private begin(priority: CallPriority): void {
    this.inUse++;
    this.rate.begin(priority === 'blocks');
  }

  private beginWaiting(): void {
    clearTimeout(this.timer);
    let soonestMs = Infinity;
    for (const priority of CALL_PRIORITIES) {
      const line = this.lines.get(priority)!;
      while (line.length > 0 && this.waitMs(priority) === 0) line.shift()!.begin();
      if (line.length > 0) soonestMs = Math.min(soonestMs, this.waitMs(priority));
    }
    if (soonestMs < Infinity) this.timer = setTimeout(() => this.beginWaiting(), Math.ceil(soonestMs));
  }

  /** Infinity: the end of a call comes first. */
  private waitMs(priority: CallPriority): number {
    if (this.inUse >= this.connections) return Infinity;
    return this.rate.waitMs(priority === 'blocks', performance.now());
  }

  private dismiss(reason: string): void {
    for (const line of this.lines.values()) for (const waiting of line.splice(0)) waiting.giveUp(reason);
  }
}
