import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';

/** The calls that are kept for each node. */
const KEPT_CALLS = 512;
/** Older calls say nothing: a node that is not asked for a while gets its next chance. */
const USUAL_OF_MS = 300_000;
const USUAL_SHARE = 0.95;
/** The p95 is sorted out at most this often. */
const USUAL_FOR_MS = 1_000;
/** Answers that are read within this time count once: a process that stood still reads many, of which none was slow. */
const AT_ONCE_MS = 50;
/** No call is late before this, however fast its node is otherwise. */
export const SHORTEST_LATE_MS = 300;
const MINUTE_MS = 60_000;

interface EndedCall {
  /** Null for a failure, which says something of the whole node. */
  readonly route: string | null;
  readonly atMs: number;
  readonly tookMs: number;
}

interface Calls {
  /** The newest one last. */
  readonly ended: EndedCall[];
  /** In the order in which they began. */
  readonly underWay: Set<{ readonly route: string; readonly atMs: number }>;
  /** By route. */
  readonly usual: Map<string, { readonly atMs: number; readonly ms: number }>;
}

/** What calls to each node (host and port) take, from their turn to the whole answer. */
@Injectable()
export class NodeTimes {
  private readonly calls = new Map<string, Calls>();

  constructor(private readonly clock: Clock) {}

  /** Called when a call begins. It gives what is to be called when the call ends, with whether the node has answered. */
  begin(url: string, route: string): (isAnswered: boolean) => void {
    const { underWay } = this.of(url);
    const call = { route, atMs: performance.now() };
    underWay.add(call);
    return (isAnswered) => {
      underWay.delete(call);
      if (isAnswered) this.took(url, route, performance.now() - call.atMs);
    };
  }

  took(url: string, route: string, tookMs: number): void {
    this.add(url, { route, atMs: this.clock.monotonicMs(), tookMs });
  }

  /** A call failed: as bad as one that took so long. */
  failed(url: string, asMs: number): void {
    this.add(url, { route: null, atMs: this.clock.monotonicMs(), tookMs: asMs });
  }

  /** The node's p95 for this route in the last minutes; after that, a caller may ask another node. */
  usualMs(url: string, route: string): number {
    const { ended, usual } = this.of(url);
    const nowMs = this.clock.monotonicMs();
    const known = usual.get(route);
    if (known && nowMs - known.atMs <= USUAL_FOR_MS) return known.ms;
    const took = ended.filter((call) => call.route === route && nowMs - call.atMs < USUAL_OF_MS);
    const ms = Math.max(SHORTEST_LATE_MS, p95(took.map(({ tookMs }) => tookMs)));
    usual.set(route, { atMs: nowMs, ms });
    return ms;
  }

  /**
   * What the newest calls took, of this route alone if one is given, the longest first. Calls under way count once together, as soon as
   * the oldest is late: a node that pauses for a moment keeps all of them waiting, and one that is slow shows it by those that end.
   */
  newest(url: string, count: number, route?: string): number[] {
    const { ended, underWay } = this.of(url);
    const isWanted = (call: { readonly route: string | null }) => route === undefined || call.route === route;
    const oldest = underWay.values().find(isWanted);
    const ageMs = oldest ? performance.now() - oldest.atMs : 0;
    const newest = ageMs > SHORTEST_LATE_MS ? [ageMs] : [];
    const sinceMs = this.clock.monotonicMs() - USUAL_OF_MS;
    let groupMs = Infinity;
    for (let at = ended.length - 1; at >= 0 && newest.length < count; at--) {
      const call = ended[at]!;
      if (call.atMs <= sinceMs) break;
      if (!isWanted(call) || groupMs - call.atMs <= AT_ONCE_MS) continue;
      newest.push(call.tookMs);
      groupMs = call.atMs;
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
    const found = this.calls.get(host) ?? { ended: [], underWay: new Set(), usual: new Map() };
    this.calls.set(host, found);
    return found;
  }
}

function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * USUAL_SHARE) - 1] ?? 0;
}
