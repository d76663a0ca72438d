import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import type { SaidBlock } from '../node/block-answer';
import { ChainReads } from '../node/chain-reads';

/** Readings that end within this time ask once for all. */
const GATHER_MS = 50;
/** Older than this, the block is mostly not the newest any more. */
const RECENT_MS = 1_000;

/**
 * The newest block of the node's own solid view. A reading that lies between two equal answers is of that block. The answers are
 * shared: any that came before a reading may be its first, any that was asked for after it its second.
 */
@Injectable()
export class SolidBlock {
  private last: { block: SaidBlock; atMs: number } | null = null;
  private next: Promise<SaidBlock> | null = null;

  constructor(
    private readonly reads: ChainReads,
    private readonly clock: Clock,
  ) {}

  /** For the beginning of a reading. @throws NodeUnavailableError */
  async before(): Promise<SaidBlock> {
    if (this.last && this.clock.monotonicMs() - this.last.atMs < RECENT_MS) return this.last.block;
    return this.after(0);
  }

  /** For its end: the node is asked after this call. @throws NodeUnavailableError */
  after(gatherMs = GATHER_MS): Promise<SaidBlock> {
    this.next ??= this.clock.sleep(gatherMs).then(() => {
      this.next = null;
      return this.ask();
    });
    return this.next;
  }

  private async ask(): Promise<SaidBlock> {
    const block = await this.reads.solidHead();
    this.last = { block, atMs: this.clock.monotonicMs() };
    return block;
  }
}
