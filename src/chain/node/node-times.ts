import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';

/** Of each node, so many calls are kept, */
const KEPT_CALLS = 512;
/** and what is usual is what was so in this time. */
const USUAL_OF_MS = 300_000;
const USUAL_SHARE = 0.95;
/** Found again so often at most. */
const USUAL_FOR_MS = 1_000;
/** Answers that are read within this time count once: a process that stood still reads many, of which none was slow. */
const AT_ONCE_MS = 50;
/** No call is late before this, however fast its node is otherwise. */
export const SHORTEST_LATE_MS = 300;
const MINUTE_MS = 60_000;

interface EndedCall {
  readonly atMs: number;
  readonly tookMs: number;
  /** No usable answer came: it says nothing of what is usual. */
  readonly isFault: boolean;
}

interface Calls {
  /** The newest one last. */
  readonly ended: EndedCall[];
  /** When each began that has not ended yet. */
  readonly underWay: Set<{ readonly atMs: number }>;
  usual: { readonly atMs: number; readonly ms: number } | null;
}

/** What calls to each node (host and port) take, from their turn to the whole answer. */
@Injectable()
export class NodeTimes {
  private readonly calls = new Map<string, Calls>();

  constructor(private readonly clock: Clock) {}

  /** As a call begins; what this gives is called as it ends, with whether the node has answered it. */
  begin(url: string): (isAnswered: boolean) => void {
    const { underWay } = this.of(url);
    const call = { atMs: performance.now() };
    underWay.add(call);
    return (isAnswered) => {
      underWay.delete(call);
      if (isAnswered) this.took(url, performance.now() - call.atMs);
    };
  }

  took(url: string, tookMs: number): void {
    this.add(url, { atMs: this.clock.monotonicMs(), tookMs, isFault: false });
  }

  /** A call failed: as bad as one that took so long. */
  failed(url: string, asMs: number): void {
    this.add(url, { atMs: this.clock.monotonicMs(), tookMs: asMs, isFault: true });
  }

  /** Its p95 of the last minutes: who has waited for longer may ask another node. */
  usualMs(url: string): number {
    const calls = this.of(url);
    const nowMs = this.clock.monotonicMs();
    if (!calls.usual || nowMs - calls.usual.atMs > USUAL_FOR_MS)
      calls.usual = { atMs: nowMs, ms: usualOf(calls.ended, nowMs - USUAL_OF_MS) };
    return calls.usual.ms;
  }

  /** Of the newest calls, what each took, the longest first; one under way counts once it is late. */
  newest(url: string, count: number): number[] {
    const { ended, underWay } = this.of(url);
    const nowMs = performance.now();
    const late = [...underWay].map(({ atMs }) => nowMs - atMs).filter((ageMs) => ageMs > SHORTEST_LATE_MS);
    const newest: number[] = late.slice(-count);
    let before = Infinity;
    for (let at = ended.length - 1; at >= 0 && newest.length < count; at--) {
      const { atMs, tookMs } = ended[at]!;
      if (before - atMs > AT_ONCE_MS) newest.push(tookMs);
      before = atMs;
    }
    return newest.toSorted((a, b) => b - a);
  }

  /** Calls to all nodes that have ended within the last minute. */
  lastMinute(): number {
    const sinceMs = this.clock.monotonicMs() - MINUTE_MS;
    return [...this.calls.values()].reduce(
      (sum, { ended }) => sum + ended.filter(({ atMs }) => atMs > sinceMs).length,
      0,
    );
  }

  private add(url: string, call: EndedCall): void {
    const { ended } = this.of(url);
    ended.push(call);
    if (ended.length > KEPT_CALLS) ended.shift();
  }

  private of(url: string): Calls {
    const { host } = new URL(url);
    const found = this.calls.get(host) ?? { ended: [], underWay: new Set(), usual: null };
    this.calls.set(host, found);
    return found;
  }
}

function usualOf(ended: readonly EndedCall[], sinceMs: number): number {
  const took = ended.flatMap(({ atMs, tookMs, isFault }) => (isFault || atMs < sinceMs ? [] : [tookMs]));
  const sorted = took.toSorted((a, b) => a - b);
  return Math.max(SHORTEST_LATE_MS, sorted[Math.ceil(sorted.length * USUAL_SHARE) - 1] ?? 0);
}
