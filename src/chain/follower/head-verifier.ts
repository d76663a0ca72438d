import { Injectable, Logger } from '@nestjs/common';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { DoubtfulBlockError } from '../node/block-answer';
import { ChainReads, type BlockHeader } from '../node/chain-reads';

const HEADERS_A_READ = 20;

/**
 * Verifies that the head descends from the solid block: header by header, from the solid block or from the head verified last, by
 * parent ids and by growing times. A single wrong header, if believed, could make every delegation look due for its reclaim.
 */
@Injectable()
export class HeadVerifier {
  private readonly logger = new Logger(HeadVerifier.name);
  private verified: BlockHeader | null = null;
  private refusing = false;

  constructor(private readonly reads: ChainReads) {}

  /** @throws NodeUnavailableError when it does not descend, or the headers cannot be read; the signal's reason when it aborts */
  async verify(head: BlockHeader, solid: BlockHeader, signal?: AbortSignal): Promise<void> {
    const last = this.verified;
    if (last?.id === head.id && last.timeMs === head.timeMs) return;
    const nearer = last && last.number >= solid.number && last.number < head.number ? last : null;
    // A fork may have dropped the head verified last: then from the solid block.
    const gap = nearer && (await this.gap(nearer, head, signal)) === null ? null : await this.gap(solid, head, signal);
    if (gap !== null) this.refuse(head, gap);
    this.verified = head;
    this.refusing = false;
  }

  /** Why the head does not descend from the base, or null. Both ends are read again by their heights. */
  private async gap(base: BlockHeader, head: BlockHeader, signal?: AbortSignal): Promise<string | null> {
    for (const end of [base, head]) {
      signal?.throwIfAborted();
      const shown = await this.reads.header('wallet', end.number);
      if (shown?.id !== end.id || shown.timeMs !== end.timeMs) return `the node now shows another block ${end.number}`;
    }
    if (head.number === base.number) return null;
    let parent = base;
    // A few at a time: with a wrong height, the reading ends where the node has no more blocks.
    while (parent.number < head.number - 1) {
      const to = Math.min(parent.number + HEADERS_A_READ, head.number - 1);
      for (const block of await this.headers(parent.number + 1, to, signal)) {
        const gap = brokenLink(parent, block);
        if (gap !== null) return gap;
        parent = block!;
      }
    }
    return brokenLink(parent, head);
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
    // Logged once per outage.
    if (!this.refusing) this.logger.error(`${reason}; its time decides nothing`);
    this.refusing = true;
    this.reads.invalidate('wallet');
    throw new DoubtfulBlockError(reason);
  }
}

/** Why the block does not follow this parent, or null. */
function brokenLink(parent: BlockHeader, block: BlockHeader | null): string | null {
  if (block?.number !== parent.number + 1 || block.parentId !== parent.id)
    return `block ${parent.number + 1} does not follow block ${parent.number}`;
  return block.timeMs > parent.timeMs ? null : `block ${block.number} is not later than its parent`;
}
