import { Inject, Injectable } from '@nestjs/common';
import { BACKGROUND_WORK } from '../../common/background-job';
import { Clock } from '../../common/clock';
import { VerifiedChain } from '../verified-chain/verified-chain';

/** Orders wait for so long after this process fell behind: with more to read, each order that finds no stake would wait in vain. */
const WORTH_WAITING_MS = 10_000;

/**
 * Up to which final block this process has settled orders. It is behind after a start, and after a pause of the process or its nodes.
 * Blocks that are set aside, and outcomes that are tried again, do not count.
 */
@Injectable()
export class LookedThrough {
  private number = -1;
  /** On the monotonic clock; null while nothing is left to settle. */
  private behindSinceMs: number | null = null;
  private further = Promise.withResolvers<void>();

  constructor(
    /** Without it another process settles, and this one does not see how far that is. */
    @Inject(BACKGROUND_WORK) private readonly isFollower: boolean,
    private readonly chain: VerifiedChain,
    private readonly clock: Clock,
  ) {}

  /** Before final blocks up to this one are looked through. */
  begins(number: number): void {
    if (this.number < number) this.behindSinceMs ??= this.clock.monotonicMs();
  }

  reached(number: number): void {
    this.number = number;
    this.behindSinceMs = null;
    this.further.resolve();
    this.further = Promise.withResolvers();
  }

  /** Until everything up to the present final block is settled; callers bound it. False when it was, or when that may take long. */
  async waitForFinal(): Promise<boolean> {
    const final = this.chain.headers?.final?.number ?? -1;
    if (!this.isFollower || this.number >= final || this.isLongBehind) return false;
    while (this.number < final) await this.further.promise;
    return true;
  }

  private get isLongBehind(): boolean {
    return this.behindSinceMs !== null && this.clock.monotonicMs() - this.behindSinceMs > WORTH_WAITING_MS;
  }
}
