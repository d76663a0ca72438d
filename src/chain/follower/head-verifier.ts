import { Injectable, Logger } from '@nestjs/common';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { DoubtfulBlockError } from '../node/block-answer';
import { ChainReads, type BlockHeader } from '../node/chain-reads';

const HEADERS_AT_ONCE = 20;

/**
 * Whether the head stands on the solid chain: header by header down to the solid block, or to a head that was linked before, by
 * parents' ids and by times that only grow. One header alone, told wrong, could have everything that is lent taken back at once.
 */
@Injectable()
export class HeadVerifier {
  private readonly logger = new Logger(HeadVerifier.name);
  private linked: BlockHeader | null = null;
  private doubting = false;

  constructor(private readonly reads: ChainReads) {}

  /** @throws NodeUnavailableError when it does not, or cannot be seen to; the signal's reason when that comes first */
  async confirm(head: BlockHeader, solid: BlockHeader, signal?: AbortSignal): Promise<void> {
    const last = this.linked;
    if (last?.id === head.id && last.timeMs === head.timeMs) return;
    const nearer = last && last.number >= solid.number && last.number < head.number ? last : null;
    // A fork may have dropped the head that was linked last.
    const gap = nearer && (await this.gap(nearer, head, signal)) === null ? null : await this.gap(solid, head, signal);
    if (gap !== null) this.refuse(head, gap);
    this.linked = head;
    this.doubting = false;
  }

  /** Why the way from one to the other is broken, or null. Both ends are read again by their heights. */
  private async gap(base: BlockHeader, head: BlockHeader, signal?: AbortSignal): Promise<string | null> {
    for (const end of [base, head]) {
      signal?.throwIfAborted();
      const shown = await this.reads.header('wallet', end.number);
      if (shown?.id !== end.id || shown.timeMs !== end.timeMs) return `block ${end.number} is another one there`;
    }
    if (head.number === base.number) return null;
    let parent = base;
    // A few at a time: a height told wrong is not believed further up than there are blocks.
    while (parent.number < head.number - 1) {
      const to = Math.min(parent.number + HEADERS_AT_ONCE, head.number - 1);
      for (const block of await this.headers(parent.number + 1, to, signal)) {
        const broken = brokenStep(parent, block);
        if (broken !== null) return broken;
        parent = block!;
      }
    }
    return brokenStep(parent, head);
  }

  private async headers(from: number, to: number, signal?: AbortSignal): Promise<(BlockHeader | null)[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const found: (BlockHeader | null)[] = [];
    const read = async (number: number) => void (found[number - from] = await this.reads.header('wallet', number));
    await forEachConcurrently(numbers, read, signal);
    return found;
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

/** Why a block is not the next one after its parent, or null. */
function brokenStep(parent: BlockHeader, block: BlockHeader | null): string | null {
  if (block?.number !== parent.number + 1 || block.parentId !== parent.id)
    return `block ${parent.number + 1} does not follow block ${parent.number}`;
  return block.timeMs > parent.timeMs ? null : `block ${block.number} is not later than its parent`;
}
