import { Injectable } from '@nestjs/common';
import { BlockFollower } from '../../chain/follower/block-follower';
import { type InclusionWaiter, InclusionWaiters } from '../../chain/follower/inclusion-waiters';

/** Begins to look for a transaction that is about to be sent. */
@Injectable()
export class InclusionWatch {
  constructor(
    private readonly waiters: InclusionWaiters,
    private readonly follower: BlockFollower,
  ) {}

  expect(txId: string): InclusionWaiter {
    const wait = this.waiters.add(txId);
    this.follower.wake();
    return wait;
  }
}
