import { Injectable } from '@nestjs/common';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { Shutdown } from '../../common/shutdown';
import { type BlockHeader, DoubtfulBlockError } from '../node/block-answer';
import { BlockReads } from '../node/block-reads';
import { NodeUnavailableError } from '../node/node-errors';
import { brokenLink } from '../proof/header-chain';

/**
 * Headers below one that is known, several at once, from whichever node has them: parent ids prove them, so it does not matter whose
 * they are.
 */
@Injectable()
export class MissedHeaders {
  constructor(
    private readonly reads: BlockReads,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * So many, fewer at genesis, lowest first and linked up to `top`.
   * @param shownBy asked too, also while it is out of use
   * @throws NodeUnavailableError; the signal's reason when the service ends
   */
  async below(top: BlockHeader, count: number, shownBy: string): Promise<BlockHeader[]> {
    const urls = [...new Set([...this.reads.urls, shownBy])];
    const from = Math.max(0, top.number - count);
    const found: BlockHeader[] = [];
    const read = async (at: number) => {
      found[at] = await this.firstAt(urls, from + at, () => true);
    };
    const heights = Array.from({ length: top.number - from }, (_, at) => at);
    await forEachConcurrently(heights, read, this.shutdown.signal);
    let above = top;
    for (let at = found.length - 1; at >= 0; at--) {
      const child = above;
      const isParent = (header: BlockHeader) => brokenLink(header, child) === null;
      if (!isParent(found[at]!)) found[at] = await this.firstAt(urls, from + at, isParent);
      above = found[at]!;
    }
    return found;
  }

  /** A node that fails is asked last for all that is still missed. */
  private async firstAt(
    urls: string[],
    number: number,
    isWanted: (header: BlockHeader) => boolean,
  ): Promise<BlockHeader> {
    let fault = new NodeUnavailableError(`no node has block ${number}`);
    const asked = urls.slice();
    for (const url of asked) {
      try {
        const header = await this.reads.headerAt(url, number);
        if (header && isWanted(header)) return header;
        if (header) fault = new DoubtfulBlockError(`block ${number + 1} does not follow block ${number}`);
      } catch (error) {
        if (!(error instanceof NodeUnavailableError)) throw error;
        if (!(fault instanceof DoubtfulBlockError)) fault = error;
        urls.push(...urls.splice(urls.indexOf(url), 1));
      }
    }
    throw fault;
  }
}
