import { Injectable } from '@nestjs/common';
import { DoubtfulBlockError } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import { brokenLink, type HeaderChain, UndoesFinalError } from '../proof/header-chain';
import { MissedHeaders } from './missed-headers';

/** So many more blocks at a time are read of a branch that replaces blocks, until it meets the chain. */
const REPLACED_A_READ = 4;

/** What a tip has on top of the chain. */
@Injectable()
export class Branches {
  constructor(private readonly missed: MissedHeaders) {}

  /**
   * Lowest first, down to the newest block that this chain has too.
   * @param url the node that shows the tip
   * @throws UndoesFinalError
   * @throws NodeUnavailableError
   */
  async below(tip: BlockHeader, chain: HeaderChain, url: string): Promise<BlockHeader[]> {
    const branch = [tip];
    let below: BlockHeader[] = [];
    for (;;) {
      const [lowest] = branch;
      const parent = chain.at(lowest!.number - 1);
      if (parent?.id === lowest!.parentId) {
        const gap = brokenLink(parent, lowest!);
        if (gap !== null) throw new DoubtfulBlockError(gap);
        return branch;
      }
      const left = lowest!.number - 1 - chain.final!.number;
      if (left <= 0) throw new UndoesFinalError(chain.final!, tip);
      if (below.length === 0) {
        const missed = lowest!.number - 1 - chain.head.number;
        below = await this.missed.below(lowest!, missed > 0 ? missed : Math.min(left, REPLACED_A_READ), url);
      }
      branch.unshift(below.pop()!);
    }
  }
}
