import { CALL_PRIORITIES, type CallPriority, longestWaitMs } from './call-priority';
import { CallRate } from './call-rate';
import type { HttpReply } from './node-http';

const HUNG = new Set(['time-out', 'connect time-out', 'ETIMEDOUT', 'EHOSTUNREACH']);

/** Every fifth turn for which several priorities wait goes to the one that had none for longest, so that none starves another. */
const SHARED_TURN = 5;

interface Waiting {
  begin(): void;
  giveUp(reason: string): void;
}

/** The calls of one priority that wait, in the order of their arrival. */
interface Line {
  readonly priority: CallPriority;
  readonly waiting: Waiting[];
  /** The last turn of its own, in the count of all turns given out. */
  lastTurn: number;
}

/**
 * Limits the calls to one node: how many at a time, and how many a second. The others wait, by priority (but see SHARED_TURN) and then
 * in the order of their arrival; a call's own time-out begins with its turn. When a call times out and no other call was answered since
 * it began, the node hangs, and all that wait for a connection are dismissed, so that they go to another node instead of timing out one
 * after the other.
 */
export class CallQueue {
  private inUse = 0;
  private answers = 0;
  private readonly lines: readonly Line[] = CALL_PRIORITIES.map((priority) => ({ priority, waiting: [], lastTurn: 0 }));
  private turns = 0;
  private choices = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connections: number,
    readonly rate = new CallRate(null),
  ) {}

  get waiting(): number {
    return this.lines.reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** For so long the node wants no calls. */
  get pausedMs(): number {
    return this.rate.pausedMs(performance.now());
  }

  get hasRefusedLately(): boolean {
    return this.rate.hasRefusedLately(performance.now());
  }

  async run(priority: CallPriority, call: () => Promise<HttpReply>): Promise<HttpReply> {
    const reason = await this.turn(priority);
    if (reason !== null) return { kind: 'undelivered', reason, neverAsked: true };
    const before = this.answers;
    try {
      const reply = await call();
      const hung = (reply.kind === 'unknown' || reply.kind === 'undelivered') && HUNG.has(reply.reason);
      if (!hung) this.answers++;
      else if (this.answers === before && this.inUse === this.connections) this.dismiss('the node answers no caller');
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
    const line = this.lines.find((found) => found.priority === priority)!;
    // A place may have become free since the timer was set: those who waited for it go first.
    this.beginWaiting();
    if (this.waitMs(priority) === 0) {
      this.begin(line);
      return null;
    }
    const longestMs = longestWaitMs(priority);
    return new Promise((resolve) => {
      const end = (reason: string | null) => {
        clearTimeout(timer);
        resolve(reason);
      };
      const waiting: Waiting = {
        begin: () => {
          this.begin(line);
          end(null);
        },
        giveUp: end,
      };
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(waiting), 1);
        end(`its turn did not come within ${longestMs / 1000} s`);
      }, longestMs);
      line.waiting.push(waiting);
      this.beginWaiting();
    });
  }

  private begin(line: Line): void {
    this.inUse++;
    line.lastTurn = ++this.turns;
    this.rate.begin(line.priority === 'blocks');
  }

  private beginWaiting(): void {
    clearTimeout(this.timer);
    for (let line = this.next(); line; line = this.next()) line.waiting.shift()!.begin();
    const waiting = this.lines.filter((line) => line.waiting.length > 0);
    const soonestMs = Math.min(...waiting.map(({ priority }) => this.waitMs(priority)));
    if (soonestMs < Infinity) this.timer = setTimeout(() => this.beginWaiting(), Math.ceil(soonestMs));
  }

  /** Whose turn is next, of those that may begin now. */
  private next(): Line | undefined {
    const ready = this.lines.filter(({ priority, waiting }) => waiting.length > 0 && this.waitMs(priority) === 0);
    if (ready.length < 2 || ++this.choices % SHARED_TURN > 0) return ready[0];
    return ready.toSorted((a, b) => a.lastTurn - b.lastTurn)[0];
  }

  /** Infinity: the end of a call comes first. */
  private waitMs(priority: CallPriority): number {
    if (this.inUse >= this.connections) return Infinity;
    return this.rate.waitMs(priority === 'blocks', performance.now());
  }

  private dismiss(reason: string): void {
    for (const line of this.lines) for (const waiting of line.waiting.splice(0)) waiting.giveUp(reason);
  }
}
