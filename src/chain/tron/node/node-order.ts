import { Logger } from '@nestjs/common';
import type { Clock } from '../../../common/clock';
import type { NodeTimes } from './node-times';

/** So many of a node's newest calls are looked at. A node is left once LEFT_AT of them were slow, and come back to once at most BACK_AT were. */
const NEWEST = 8;
const LEFT_AT = 3;
const BACK_AT = 1;
/** A slow call takes longer than this, and so many times as long as another node takes; the second pair is for coming back. */
export const LEFT = { ms: 600, times: 3 };
const BACK = { ms: 300, times: 1.5 };
/** A node of which too little is known counts as one that takes so long. */
const UNKNOWN_MS = 300;
/** A node is left for at least this time: two nodes that are healthy by turns do not change places all the time. */
const LEFT_FOR_MS = 60_000;
/** All calls together, and by itself each route that an order waits for: a node may be slow at one of them and fast at the rest. */
const JUDGED: readonly (string | undefined)[] = [undefined, 'broadcasttransaction', 'getaccount', 'getblock'];

/**
 * Which nodes of a kind are asked after the others, because they take much longer, or fail, again and again. Of nodes that do alike, the
 * configured order stands.
 */
export class NodeOrder {
  private readonly logger = new Logger(NodeOrder.name);
  /** By URL, since when. */
  private readonly leftSinceMs = new Map<string, number>();

  constructor(
    private readonly kind: string,
    private readonly times: NodeTimes,
    private readonly clock: Clock,
  ) {}

  isLeft(url: string): boolean {
    return this.leftSinceMs.has(url);
  }

  /** Looks again at each of these nodes, none of which is behind. */
  judge(urls: readonly string[]): void {
    if (urls.length < 2) return;
    for (const url of urls) {
      const others = urls.filter((other) => other !== url);
      if (!this.isLeft(url)) this.leave(url, others);
      else this.comeBack(url, others);
    }
  }

  private leave(url: string, others: readonly string[]): void {
    const slow = JUDGED.map((route) => ({ route, tookMs: this.slowest(url, LEFT_AT, route) })).find(
      ({ route, tookMs }) => tookMs > Math.max(LEFT.ms, LEFT.times * this.bestOf(others, route)),
    );
    if (!slow) return;
    this.leftSinceMs.set(url, this.clock.monotonicMs());
    const calls = slow.route === undefined ? 'calls, failed ones among them' : `calls of ${slow.route}`;
    const how = `${(slow.tookMs / 1000).toFixed(1)} s or more for ${LEFT_AT} of its last ${NEWEST} ${calls}`;
    this.logger.warn(`The node ${new URL(url).host} is slow or fails (${this.kind}): ${how}. Others are asked first`);
  }

  private comeBack(url: string, others: readonly string[]): void {
    if (this.clock.monotonicMs() - this.leftSinceMs.get(url)! < LEFT_FOR_MS) return;
    const isSlow = (route?: string) =>
      this.slowest(url, BACK_AT + 1, route) > Math.max(BACK.ms, BACK.times * this.bestOf(others, route));
    if (JUDGED.some(isSlow)) return;
    this.leftSinceMs.delete(url);
    this.logger.log(`The node ${new URL(url).host} is as fast as others again (${this.kind})`);
  }

  private bestOf(urls: readonly string[], route?: string): number {
    return Math.min(...urls.map((url) => this.slowest(url, LEFT_AT, route) || UNKNOWN_MS));
  }

  /** What the slowest calls but for this many less one took; 0 when there were fewer. */
  private slowest(url: string, rank: number, route?: string): number {
    return this.times.newest(url, NEWEST, route)[rank - 1] ?? 0;
  }
}
