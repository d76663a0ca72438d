import { Logger } from '@nestjs/common';
import type { Clock } from '../../common/clock';
import type { NodeTimes } from './node-times';

/** Of so many of its newest calls, */
const NEWEST = 8;
/** a node is left once so many were slow, and come back to once at most so many are: one hiccup says nothing, either way. */
const LEFT_AT = 3;
const BACK_AT = 1;
/** Slow is what takes longer than this, and so many times as long as another node takes; the second pair is for coming back. */
const LEFT = { ms: 600, times: 3 };
const BACK = { ms: 300, times: 1.5 };
/** What a node is taken for of which too little is known. */
const UNKNOWN_MS = 300;
/** And not before: two nodes that are healthy by turns do not change places all the time. */
const LEFT_FOR_MS = 60_000;

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
      const others = urls
        .filter((other) => other !== url)
        .map((other) => this.newest(other)[LEFT_AT - 1] ?? UNKNOWN_MS);
      const bestMs = Math.min(...others);
      if (!this.isLeft(url)) this.leave(url, bestMs);
      else this.comeBack(url, bestMs);
    }
  }

  private leave(url: string, bestMs: number): void {
    const tookMs = this.newest(url)[LEFT_AT - 1] ?? 0;
    if (tookMs <= Math.max(LEFT.ms, LEFT.times * bestMs)) return;
    this.leftSinceMs.set(url, this.clock.monotonicMs());
    const how = `${(tookMs / 1000).toFixed(1)} s or more for ${LEFT_AT} of its last ${NEWEST} calls, failed ones among them`;
    this.logger.warn(`The node ${new URL(url).host} is slow or fails (${this.kind}): ${how}. Others are asked first`);
  }

  private comeBack(url: string, bestMs: number): void {
    if (this.clock.monotonicMs() - this.leftSinceMs.get(url)! < LEFT_FOR_MS) return;
    if ((this.newest(url)[BACK_AT] ?? 0) > Math.max(BACK.ms, BACK.times * bestMs)) return;
    this.leftSinceMs.delete(url);
    this.logger.log(`The node ${new URL(url).host} is as fast as others again (${this.kind})`);
  }

  private newest(url: string): number[] {
    return this.times.newest(url, NEWEST);
  }
}
