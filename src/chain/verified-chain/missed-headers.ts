import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { DoubtfulBlockError } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import { BlockReads } from '../tron/node/block-reads';
import { NodeUnavailableError } from '../tron/node/node-errors';
import { brokenLink } from '../proof/header-chain';
import { ChainProof } from './chain-proof';

interface Shown {
  readonly header: BlockHeader;
  readonly url: string;
}

/**
 * Headers below one that is known, several at once, from whichever node has them: parent ids prove them, so it does not matter whose
 * they are.
 */
@Injectable()
export class MissedHeaders implements OnModuleDestroy {
  /** Not as soon as the service is asked to end: requests in flight are answered first, and wait for blocks. */
  private readonly end = new AbortController();

  constructor(
    private readonly reads: BlockReads,
    private readonly proof: ChainProof,
  ) {}

  onModuleDestroy(): void {
    this.end.abort(new Error('the service ends'));
  }

  /**
   * This many headers, fewer at genesis, lowest first and linked up to `top`.
   * @param shownBy the node that showed `top`: asked too, also while it is out of use
   * @throws NodeUnavailableError; DoubtfulBlockError when the node that showed `top` shows no parents of it; the signal's reason when the
   * service ends
   */
  async below(
    top: BlockHeader,
    count: number,
    shownBy: string,
    signal: AbortSignal = this.end.signal,
  ): Promise<BlockHeader[]> {
    const urls = [...new Set([...this.reads.urls, shownBy])];
    const from = Math.max(0, top.number - count);
    const found: Shown[] = [];
    const readAll = (heights: readonly number[]) =>
      forEachConcurrently(
        heights,
        async (at) => {
          found[at] = await this.firstAt(urls, from + at);
        },
        signal,
      );
    await readAll(Array.from({ length: top.number - from }, (_, at) => at));
    let above = top;
    for (let at = found.length - 1; at >= 0; at--) {
      while (brokenLink(found[at]!.header, above) !== null) {
        // It is on another branch, or lies: nothing that it shows is of use here.
        const { url } = found[at]!;
        if (url === shownBy) throw new DoubtfulBlockError(`block ${from + at + 1} does not follow block ${from + at}`);
        urls.splice(urls.indexOf(url), 1);
        await readAll(Array.from({ length: at + 1 }, (_, below) => below).filter((below) => found[below]!.url === url));
      }
      above = found[at]!.header;
    }
    return found.map(({ header }) => header);
  }

  /**
   * Where the first node shows a signature that counts for nothing, another one may show the witness's: an id leaves the signature out. A
   * node that fails is asked last for all that is still missed.
   */
  private async firstAt(urls: string[], number: number): Promise<Shown> {
    let doubtful: Shown | null = null;
    let fault = new NodeUnavailableError(`no node has block ${number}`);
    for (const url of urls.slice()) {
      try {
        const header = await this.reads.headerAt(url, number);
        if (header && (number === 0 || this.proof.judge.believes(header))) return { header, url };
        if (header) doubtful ??= { header, url };
      } catch (error) {
        if (!(error instanceof NodeUnavailableError)) throw error;
        fault = error;
        urls.push(...urls.splice(urls.indexOf(url), 1));
      }
    }
    if (doubtful) return doubtful;
    throw fault;
  }
}
