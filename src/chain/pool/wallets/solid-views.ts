import { Injectable } from '@nestjs/common';
import { ChainReads } from '../../tron/node/chain-reads';
import { ConfiguredNodes } from '../../tron/node/configured-nodes';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import { SolidBlock } from './solid-block';
import type { TimedView } from './wallet-view.repository';

/** An account as each node shows it now, kept nowhere. */
@Injectable()
export class SolidViews {
  constructor(
    private readonly reads: ChainReads,
    private readonly nodes: ConfiguredNodes,
    private readonly solid: SolidBlock,
  ) {}

  /** What one shows may be contradicted by another. */
  get hasSeveral(): boolean {
    return this.reads.allSolidUrls.length > 1;
  }

  /** By every node that answers, each at its own solid block. One that wants no calls for now is asked only where all want none. */
  async all(address: string): Promise<TimedView[]> {
    const read = (url: string) =>
      this.at(url, address).catch((error: unknown) => {
        if (error instanceof NodeUnavailableError) return null;
        throw error;
      });
    const views = await Promise.all(this.nodes.urlsTakingCalls('walletsolidity').map(read));
    return views.filter((view) => view !== null);
  }

  /** Under a height that the chain does not have, everything up to there would count as looked at. */
  private async at(url: string, address: string): Promise<TimedView> {
    // Not one of a moment ago: it may be below what was explained since, and the reading would count as older than that.
    const first = await this.solid.after(url);
    const { account: view } = await this.reads.balances(address, url);
    const last = await this.solid.after(url);
    if (last.number < first.number) throw new NodeUnavailableError('the solid chain of the node steps back');
    for (const head of [first, last]) await this.solid.require(url, head);
    return { view, block: first.number, until: last.number, at: new Date() };
  }
}
