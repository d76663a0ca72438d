import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { TO_EMPTY_ENERGY, TO_HOLDER_ENERGY } from '../../chain/tron/head/transfer-size';
import { ChainReads } from '../../chain/tron/node/chain-reads';
import { HoldingReads } from '../../chain/tron/node/holding-reads';
import type { Asset } from '../deposit-states';

/** What an address holds in the solid chain. */
export interface Holding {
  /** The least that any node says: a transfer of more than there is would be refused. */
  readonly amount: bigint;
  readonly isDisputed: boolean;
}

/** What addresses hold by every node in use. It decides what is asked to be signed, and no more: the network refuses what is not there. */
@Injectable()
export class Holdings {
  constructor(
    private readonly reads: ChainReads,
    private readonly tokens: HoldingReads,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** Null where a node does not answer: the next plan asks again. */
  async of(address: string, asset: Asset): Promise<Holding | null> {
    const asked = this.reads.solidUrls.map((url) => this.readFrom(url, address, asset));
    const answers = await Promise.allSettled(asked);
    const said = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    if (said.length === 0 || said.length < answers.length) return null;
    const amount = said.reduce((least, one) => (one < least ? one : least));
    return { amount, isDisputed: said.some((one) => one !== amount) };
  }

  /** What a transfer of USDT to this address takes. @throws NodeUnavailableError */
  async energyTo(address: string): Promise<bigint> {
    const { units } = await this.tokens.read(address, this.configuration.nodes.usdtContract);
    return units > 0n ? TO_HOLDER_ENERGY : TO_EMPTY_ENERGY;
  }

  private async readFrom(url: string, address: string, asset: Asset): Promise<bigint> {
    if (asset === 'USDT') return this.tokens.units(url, address, this.configuration.nodes.usdtContract);
    return (await this.reads.balances(address, url)).balanceSun;
  }
}
