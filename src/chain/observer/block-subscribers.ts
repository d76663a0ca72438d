import { Injectable } from '@nestjs/common';
import type { Block } from '../tron/node/block-answer';

/** Is shown what the follower sees of the verified chain. */
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
