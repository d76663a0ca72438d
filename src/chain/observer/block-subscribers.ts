import { Injectable } from '@nestjs/common';
import type { Block } from '../tron/node/block-answer';

/**
 * Is shown what the follower reads of the verified chain. The follower reads blocks in full only while a transaction of ours is open or a
 * request waits, and blocks that are final when it first sees them not here at all: no sum of money can go by what is shown.
 */
export interface BlockSubscriber {
  /**
   * A block above the final one with its proved transactions, of whichever branch, and perhaps more than once. The follower records its
   * inclusions afterwards: when this fails, it comes again.
   */
  onBlock?(block: Block): Promise<void>;
  /** With each turn of the follower, the newest final block's height. The follower does not wait for what this begins. */
  onFinal?(height: number): void;
}

/** Rooms above this one subscribe when they are made; the follower knows none of them. */
@Injectable()
export class BlockSubscribers {
  private readonly subscribers: BlockSubscriber[] = [];

  add(subscriber: BlockSubscriber): void {
    this.subscribers.push(subscriber);
  }

  async showBlock(block: Block): Promise<void> {
    for (const subscriber of this.subscribers) await subscriber.onBlock?.(block);
  }

  showFinal(height: number): void {
    for (const subscriber of this.subscribers) subscriber.onFinal?.(height);
  }
}
