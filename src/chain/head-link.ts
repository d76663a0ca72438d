import { Injectable, Logger } from '@nestjs/common';
import { inParallel } from './follower/in-parallel';
import { DoubtfulBlockError } from './node/block-answer';
import { ChainReads, type BlockHeader } from './node/chain-reads';

/**
 * Whether the head stands on the solid chain: header by header down to the solid block, or to a head that was linked before, by
 * parents' ids and by times that only grow. One header alone, told wrong, could have everything that is lent taken back at once.
 */
@Injectable()
export class HeadLink {
  private readonly logger = new Logger(HeadLink.name);
  private linked: BlockHeader | null = null;
  private doubting = false;

  constructor(private readonly reads: ChainReads) {}

  /** @throws NodeUnavailableError when it does not, or cannot be seen to */
  async confirm(head: BlockHeader, solid: BlockHeader): Promise<void> {
    const last = this.linked;
    if (last?.id === head.id && last.timeMs === head.timeMs) return;
    const nearer = last && last.number >= solid.number && last.number < head.number ? last : null;
    // A fork may have dropped the head that was linked last.
    const gap = nearer && (await this.gap(nearer, head)) === null ? null : await this.gap(solid, head);
    if (gap !== null) this.refuse(head, gap);
    this.linked = head;
    this.doubting = false;
  }

  /** Why the way from one to the other is broken, or null. Both ends are read again by their heights. */
  private async gap(base: BlockHeader, head: BlockHeader): Promise<string | null> {
    const way = await this.headers(base.number, head.number);
    for (const end of [base, head]) {
      const shown = way.find(({ number }) => number === end.number);
      if (shown?.id !== end.id || shown.timeMs !== end.timeMs) return `block ${end.number} is another one there`;
    }
    for (const [at, block] of way.entries()) {
      const parent = way[at - 1];
      if (!parent) continue;
      if (block.number !== parent.number + 1 || block.parentId !== parent.id)
        return `block ${block.number} does not follow block ${parent.number}`;
      if (block.timeMs <= parent.timeMs) return `block ${block.number} is not later than its parent`;
    }
    return null;
  }

  private async headers(from: number, to: number): Promise<BlockHeader[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const found: (BlockHeader | null)[] = [];
    await inParallel(numbers, async (number) => {
      found[number - from] = await this.reads.header('wallet', number);
    });
    return found.filter((header) => header !== null);
  }

  private refuse(head: BlockHeader, gap: string): never {
    const reason = `head ${head.number} does not stand on the solid chain: ${gap}`;
    // Once per outage: the readings in between say nothing new.
    if (!this.doubting) this.logger.error(`${reason}; nothing is decided by its time`);
    this.doubting = true;
    this.reads.doubt('wallet');
    throw new DoubtfulBlockError(reason);
  }
}
