import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import type { BlockId } from '../proof/block-header';
import { RepeatedBroadcasts } from '../transactions/outbox/repeated-broadcasts';
import type { SignedTransaction } from '../tron/node/signed-transaction';
import { BlockFollower } from './block-follower';
import { type InclusionWaiter, InclusionWaiters } from './inclusion-waiters';

/** Looks for a transaction in blocks: begun before it is sent. */
@Injectable()
export class InclusionWatch {
  constructor(
    private readonly waiters: InclusionWaiters,
    private readonly follower: BlockFollower,
    private readonly broadcasts: RepeatedBroadcasts,
    private readonly clock: Clock,
  ) {}

  expect(txId: string): InclusionWaiter {
    const wait = this.waiters.add(txId);
    this.follower.wake();
    return wait;
  }

  /**
   * The block that includes it, or null when the time is up. Half of that without one, and every node gets the bytes that were accepted:
   * the one that took them may fail to relay them. None are sent once the caller may have been answered, nor after `untilMs`.
   */
  async within(
    ms: number,
    wait: InclusionWaiter,
    accepted: SignedTransaction | null,
    untilMs = Number.POSITIVE_INFINITY,
  ): Promise<BlockId | null> {
    if (!accepted || ms <= 0) return wait.within(ms);
    const endMs = Math.min(untilMs, this.clock.monotonicMs() + ms);
    const timer = setTimeout(() => this.broadcasts.toEveryNode(accepted, endMs), ms / 2);
    return wait.within(ms).finally(() => clearTimeout(timer));
  }
}
