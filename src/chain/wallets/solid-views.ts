import { Injectable } from '@nestjs/common';
import { ChainReads } from '../node/chain-reads';
import { NodeUnavailableError } from '../node/node-errors';
import { SolidBlock } from './solid-block';
import type { TimedView } from './wallet-view.repository';

/** An account as each node shows it now, kept nowhere. */
@Injectable()
export class SolidViews {
  constructor(
    private readonly reads: ChainReads,
    private readonly solid: SolidBlock,
  ) {}

  /** By the first node that shows it. @throws NodeUnavailableError */
  async first(address: string): Promise<TimedView> {
    let fault: unknown = new NodeUnavailableError('no node shows the solid chain');
    for (const url of this.reads.solidUrls) {
      try {
        return await this.at(url, address);
      } catch (error) {
        if (!(error instanceof NodeUnavailableError)) throw error;
        fault = error;
      }
    }
    throw fault;
  }

  /** By every node that answers. */
  async all(address: string): Promise<TimedView[]> {
    const read = (url: string) =>
      this.at(url, address).catch((error: unknown) => {
        if (error instanceof NodeUnavailableError) return null;
        throw error;
      });
    return (await Promise.all(this.reads.solidUrls.map(read))).filter((view) => view !== null);
  }

  /** Under a height that the chain does not have, everything up to there would count as looked at. */
  private async at(url: string, address: string): Promise<TimedView> {
    const first = await this.reads.solidHead(url);
    const { account: view } = await this.reads.balances(address, url);
    const last = await this.reads.solidHead(url);
    if (last.number < first.number) throw new NodeUnavailableError('the solid chain of the node steps back');
    for (const head of [first, last]) await this.solid.require(url, head);
    return { view, block: first.number, until: last.number, at: new Date() };
  }
}
