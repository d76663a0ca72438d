import { Injectable } from '@nestjs/common';
import { ChainReads } from '../../tron/node/chain-reads';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import { PoolWalletRepository } from './pool-wallet.repository';

/** What the newest solid views show of an address. */
export interface ShownLoans {
  readonly address: string;
  /** Stake of both resources that is with others. */
  readonly lentSun: bigint;
}

/** Whether a wallet has stake with others, lent by this service or not. */
@Injectable()
export class WalletLoans {
  constructor(
    private readonly reads: ChainReads,
    private readonly wallets: PoolWalletRepository,
  ) {}

  /**
   * The most that any node in use shows: none of those is behind the others, and one alone may lie. Null where no wallet has this name, or
   * no node answers.
   */
  async find(name: string): Promise<ShownLoans | null> {
    const wallet = (await this.wallets.findReadable()).find((known) => known.name === name);
    if (!wallet) return null;
    const { address } = wallet;
    const shown = await Promise.all(this.reads.solidUrls.map((url) => this.at(url, address)));
    const lent = shown.filter((sun) => sun !== null);
    return lent.length === 0 ? null : { address, lentSun: lent.reduce((most, sun) => (sun > most ? sun : most)) };
  }

  private async at(url: string, address: string): Promise<bigint | null> {
    try {
      const { account } = await this.reads.balances(address, url);
      return account.lentEnergySun + account.lentBandwidthSun;
    } catch (error) {
      if (error instanceof NodeUnavailableError) return null;
      throw error;
    }
  }
}
