import { Injectable } from '@nestjs/common';
import { ChainReads } from '../node/chain-reads';
import { NodeUnavailableError } from '../node/node-errors';
import type { TimedView } from './wallet-view.repository';

/** An account as each node shows it now, kept nowhere. */
@Injectable()
export class SolidViews {
  constructor(private readonly reads: ChainReads) {}

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

  private async at(url: string, address: string): Promise<TimedView> {
    const { number: block } = await this.reads.solidHead(url);
    const { account: view } = await this.reads.balances(address, url);
    const { number: until } = await this.reads.solidHead(url);
    if (until < block) throw new NodeUnavailableError('the solid chain of the node steps back');
    return { view, block, until, at: new Date() };
  }
}
