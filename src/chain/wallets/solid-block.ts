import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import type { SaidBlock } from '../node/block-answer';
import { ChainReads } from '../node/chain-reads';

/** Readings that end within this time ask once for all. */
const GATHER_MS = 50;
/** Of an older one the reading would count as older than it is. */
const RECENT_MS = 1_000;

interface Asked {
  last: { readonly block: SaidBlock; readonly atMs: number } | null;
  next: Promise<SaidBlock> | null;
}

/**
 * The newest block of a node's own solid view. A reading that lies between two answers of one node is of a block between them. The
 * answers are shared: any that came before a reading may be its first, any that was asked for after it its second.
 */
@Injectable()
export class SolidBlock {
  /** By node. */
  private readonly asked = new Map<string, Asked>();

  constructor(
    private readonly reads: ChainReads,
    private readonly clock: Clock,
  ) {}

  /** For the beginning of a reading. @throws NodeUnavailableError */
  async before(url: string): Promise<SaidBlock> {
    const { last } = this.of(url);
    // Not by the instance's clock: while a test has that stand, blocks come.
    if (last && performance.now() - last.atMs < RECENT_MS) return last.block;
    return this.after(url, 0);
  }

  /** For its end: the node is asked after this call. @throws NodeUnavailableError */
  after(url: string, gatherMs = GATHER_MS): Promise<SaidBlock> {
    const asked = this.of(url);
    asked.next ??= this.clock.sleep(gatherMs).then(() => {
      asked.next = null;
      return this.ask(url);
    });
    return asked.next;
  }

  private async ask(url: string): Promise<SaidBlock> {
    const block = await this.reads.solidHead(url);
    this.of(url).last = { block, atMs: performance.now() };
    return block;
  }

  private of(url: string): Asked {
    const found = this.asked.get(url) ?? { last: null, next: null };
    this.asked.set(url, found);
    return found;
  }
}
