import { Injectable } from '@nestjs/common';
import type { SqlTransaction } from '../../database/sql';
import type { BlockHeader } from '../proof/block-header';
import type { RawTransaction } from '../proof/block-transactions';
import type { Block } from '../tron/node/block-answer';

/** A final block as subscribers are given it. */
export interface FollowedFinal extends BlockHeader {
  /** The bytes of each, by txid, as the root proves them; null: they were not asked for, or the subscriber knows them already. */
  readonly transactions: ReadonlyMap<string, RawTransaction> | null;
  /** They were asked for, and cannot be proved: the block was settled by the word of all nodes, or of an operator (`accepted_blocks`). */
  readonly isUnproved: boolean;
}

/** A room above this one that looks at blocks. Nothing that it does may keep others from theirs. */
export interface BlockSubscriber {
  /** Names its place among final blocks (`followed_blocks`), for ever. */
  readonly name: string;
  /**
   * Whether it needs blocks with their transactions now. Head blocks are read in full for it then, as they are anyway while a
   * transaction of ours is open; final blocks come with their transactions, which costs a call for each 20 of them.
   */
  wantsBodies(): boolean;
  /**
   * Whether it keeps what it needs of this block since the block was shown to it as a head: then the block comes without its transactions
   * once it is final, and costs no call. Of a block that it has not been shown in full, it has to say no.
   */
  knows?(id: string): boolean;
  /**
   * A block above the final one with its proved transactions, of whichever branch, and perhaps more than once. Only those that are read
   * in full. The follower records its inclusions afterwards: when this fails, it comes again. No sum of money can go by it.
   */
  onHead?(block: Block): Promise<void>;
  /**
   * Each final block once, over all instances and restarts, in their order, from the one after that which was the newest when it
   * subscribed first. Runs in the database transaction that records the block as looked through; when it fails, the block comes again.
   */
  onFinal?(block: FollowedFinal, tx: SqlTransaction): Promise<void>;
  /** With each turn of each process, the newest final block's height. The follower does not wait for what this begins. */
  onTurn?(height: number): void;
}

export type FinalSubscriber = BlockSubscriber & Required<Pick<BlockSubscriber, 'onFinal'>>;

/** Rooms above this one subscribe when they are made; the follower knows none of them. */
@Injectable()
export class BlockSubscribers {
  private readonly subscribers: BlockSubscriber[] = [];

  add(subscriber: BlockSubscriber): void {
    const { name } = subscriber;
    if (this.subscribers.some((other) => other.name === name)) throw new Error(`two subscribers are called ${name}`);
    this.subscribers.push(subscriber);
  }

  /** Whether head blocks are to be read in full for one of them. */
  get wantBodies(): boolean {
    return this.subscribers.some((subscriber) => subscriber.onHead !== undefined && subscriber.wantsBodies());
  }

  /** Those that are given final blocks. */
  get ofFinal(): FinalSubscriber[] {
    return this.subscribers.filter((one): one is FinalSubscriber => one.onFinal !== undefined);
  }

  async showHead(block: Block): Promise<void> {
    for (const subscriber of this.subscribers) await subscriber.onHead?.(block);
  }

  turn(height: number): void {
    for (const subscriber of this.subscribers) subscriber.onTurn?.(height);
  }
}
