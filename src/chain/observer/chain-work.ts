import { Injectable } from '@nestjs/common';
import { ChainTransactionRepository } from '../transactions/outbox/chain-transaction.repository';
import type { HeaderChain } from '../proof/header-chain';
import { BlockBodies } from '../verified-chain/block-bodies';
import { BlockPace } from './block-pace';
import { BlockSubscribers } from './block-subscribers';
import { FinalBlocks } from './final-blocks';
import { FinalityWatch } from '../verified-chain/finality-watch';
import { InclusionWaiters } from './inclusion-waiters';
import { Inclusions } from './inclusions';
import { LookedThrough } from './looked-through';

/** What follows from the verified chain for transactions of ours: included, dropped, final, dead. */
@Injectable()
export class ChainWork {
  private open = true;
  private backlog = false;

  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly waiters: InclusionWaiters,
    private readonly bodies: BlockBodies,
    private readonly subscribers: BlockSubscribers,
    private readonly inclusions: Inclusions,
    private readonly finals: FinalBlocks,
    private readonly pace: BlockPace,
    private readonly finality: FinalityWatch,
    private readonly lookedThrough: LookedThrough,
  ) {}

  /**
   * Whether a request waits, anything is open, of this instance or another, or a subscriber wants to see it: the next block is read in full
   * then.
   */
  get isBusy(): boolean {
    return this.open || this.waiters.any || this.subscribers.wantBodies;
  }

  /** More can be done without a new block, and nothing has failed. */
  get mayGoOn(): boolean {
    return this.backlog;
  }

  /**
   * True when nothing is left to do until the next block. A fault in one part does not stop the other: neither may a block that cannot
   * be read keep orders from being settled, nor a backlog keep new ones from being answered.
   */
  async advance(chain: HeaderChain, signal: AbortSignal): Promise<boolean> {
    // Asked once these blocks exist: a transaction that is committed later cannot be in one of them.
    const headers = [...chain.newestFirst()];
    this.open = (await this.transactions.isAnyOpen()) || this.waiters.any || this.subscribers.wantBodies;
    this.backlog = false;
    if (!this.open) this.bodies.skip(headers);
    if (!this.open) this.inclusions.forgetRetries();
    if (!this.open) this.finals.nothingOpen();
    const { number } = chain.final!;
    this.lookedThrough.begins(number);
    const [included] = await Promise.allSettled([this.open ? this.inclusions.advance(chain) : true]);
    const [final] = await Promise.allSettled([this.finals.advance(chain, () => this.pace.waitMs === 0, signal)]);
    if (final.status === 'fulfilled' && final.value) this.lookedThrough.reached(number);
    if (included.status === 'rejected') throw included.reason;
    if (final.status === 'rejected') throw final.reason;
    this.backlog = !final.value;
    return final.value && included.value && !this.inclusions.hasRetries;
  }

  /**
   * Answers requests whose transaction is recorded in a block. It can be final when it is first seen, after a pause of any kind, or
   * another instance has seen it first, perhaps while this one has no node. Of blocks that are not final, none counts that this
   * chain contradicts, and none while they may come to nothing: the other instance may follow a branch that will be dropped.
   */
  async answerRecorded(chain: HeaderChain | null): Promise<void> {
    if (!this.waiters.any) return;
    const seen = await this.transactions.findInBlocks(this.waiters.txIds);
    for (const { txId, block, isFinal } of seen) {
      const held = chain?.at(block.number);
      const isContradicted = held !== undefined && held.id !== block.id;
      if (isFinal || (this.finality.doubt === null && !isContradicted)) this.waiters.seen(txId, block);
    }
  }
}
