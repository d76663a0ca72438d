import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import type { NodePool, NodeState } from './node-pool';
import { LEFT } from './node-order';
import { NodeTimes, SHORTEST_LATE_MS } from './node-times';

/** This share of a minute's calls may go to a second node because the first is late; one call may in any case. */
const SHARE = 1 / 20;
const MINUTE_MS = 60_000;

/** When a call that is late is made at the next node too: never, while there are few of these, or in any case. */
export type Hedge = 'never' | 'seldom' | 'always';

/** What one node answered. */
export interface Answered<T> {
  readonly node: NodeState;
  readonly answer: T;
  /** Asked too, and has not answered yet. */
  readonly underWay: readonly NodeState[];
}

/** The one place where a second node is asked although the first has not failed. */
@Injectable()
export class HedgedCalls {
  /** When each was made of those of the last minute that are bounded. */
  private readonly takenMs: number[] = [];

  constructor(
    private readonly times: NodeTimes,
    private readonly clock: Clock,
  ) {}

  /**
   * The answers of these nodes, one after the other, as long as the caller wants more; `nodes` may grow meanwhile. The next node is asked
   * once the last has answered, or has not within its own usual time for `route`. Then the first answer comes first. When the caller stops,
   * the other calls go on, and their errors are dropped.
   */
  async *inTurn<T>(
    pool: NodePool,
    nodes: NodeState[],
    route: string,
    hedge: Hedge,
    call: (node: NodeState) => Promise<T>,
  ): AsyncGenerator<Answered<T>> {
    const calls = new Map<NodeState, Promise<Omit<Answered<T>, 'underWay'>>>();
    const begin = (node: NodeState) => {
      const answer = call(node).then((answered) => ({ node, answer: answered }));
      answer.catch(() => undefined);
      calls.set(node, answer);
    };
    let mayHedge = hedge !== 'never';
    for (;;) {
      const [asked] = calls.keys();
      if (!asked) {
        const next = nodes.shift();
        if (!next) return;
        begin(next);
        continue;
      }
      const second = mayHedge ? nodes.find((node) => pool.mayHaveMore(node)) : undefined;
      const answered = await (second
        ? this.unlessLate(pool, { asked, second, route }, [...calls.values()], hedge)
        : Promise.race(calls.values()));
      if (answered) {
        calls.delete(answered.node);
        yield { ...answered, underWay: [...calls.keys()] };
        // The caller wants more than this answer, and does not wait for the late one.
        const next = calls.size > 0 ? nodes.findIndex((node) => pool.mayHaveMore(node)) : -1;
        if (next >= 0) begin(nodes.splice(next, 1)[0]!);
      } else {
        mayHedge = false;
        begin(nodes.splice(nodes.indexOf(second!), 1)[0]!);
      }
    }
  }

  /** The first of these answers, or null once the second node may be asked too. */
  private async unlessLate<T>(
    pool: NodePool,
    { asked, second, route }: { readonly asked: NodeState; readonly second: NodeState; readonly route: string },
    answers: Iterable<Promise<T>>,
    hedge: Hedge,
  ): Promise<T | null> {
    const early = await this.firstOf(answers, SHORTEST_LATE_MS);
    if (early) return early;
    // By now others may come before this node.
    const isLeft = pool.isLeft(asked) && !pool.isLeft(second);
    const inTime = isLeft ? null : await this.firstOf(answers, this.lateMs(asked, second, route) - SHORTEST_LATE_MS);
    if (inTime || hedge === 'always' || this.take()) return inTime;
    return Promise.race(answers);
  }

  /** A node's own usual time, unless the other one is so much faster that this one would be left for it. */
  private lateMs(asked: NodeState, second: NodeState, route: string): number {
    const otherMs = this.times.usualMs(second.url, route);
    return Math.min(this.times.usualMs(asked.url, route), Math.max(LEFT.ms, LEFT.times * otherMs));
  }

  /** Null when there is none within this time. */
  private async firstOf<T>(answers: Iterable<Promise<T>>, withinMs: number): Promise<T | null> {
    const over = new AbortController();
    // Timers run before sockets are read: a process that stood still for so long looks first for an answer that lies there.
    const late = this.clock
      .sleep(withinMs, over.signal)
      .then(() => new Promise<null>((done) => setImmediate(done, null)));
    return Promise.race([...answers, late]).finally(() => over.abort());
  }

  private take(): boolean {
    const nowMs = this.clock.monotonicMs();
    while (this.takenMs.length > 0 && this.takenMs[0]! <= nowMs - MINUTE_MS) this.takenMs.shift();
    if (this.takenMs.length >= Math.max(1, Math.floor(this.times.lastMinute() * SHARE))) return false;
    this.takenMs.push(nowMs);
    return true;
  }
}
