import { Inject, Injectable } from '@nestjs/common';
import { BACKGROUND_WORK } from '../../common/background-job';
import { VerifiedChain } from './verified-chain';

/** Up to which block this process has settled everything. It is behind after a start, and after a pause of the process or its nodes. */
@Injectable()
export class LookedThrough {
  private number = -1;
  private further = Promise.withResolvers<void>();

  constructor(
    /** Without it another process settles, and this one does not see how far that is. */
    @Inject(BACKGROUND_WORK) private readonly isFollower: boolean,
    private readonly chain: VerifiedChain,
  ) {}

  reached(number: number): void {
    this.number = number;
    this.further.resolve();
    this.further = Promise.withResolvers();
  }

  /** Until everything up to the present head is settled; callers bound it. False when it was. */
  async waitForHead(): Promise<boolean> {
    const head = this.chain.headers?.head.number ?? 0;
    if (!this.isFollower || this.number >= head) return false;
    while (this.number < head) await this.further.promise;
    return true;
  }
}
