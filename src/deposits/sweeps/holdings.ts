import { Injectable } from '@nestjs/common';
import { ChainReads } from '../../chain/tron/node/chain-reads';

/** What an address holds in the solid chain. */
export interface Holding {
  /** The least that any node says: a transfer of more than there is would be refused. */
  readonly sun: bigint;
  readonly isDisputed: boolean;
}

/** What addresses hold by every node in use. It decides what is asked to be signed, and no more: the network refuses what is not there. */
@Injectable()
export class Holdings {
  constructor(private readonly reads: ChainReads) {}

  /** Null where a node does not answer: the next plan asks again. */
  async of(address: string): Promise<Holding | null> {
    const asked = this.reads.solidUrls.map((url) => this.reads.balances(address, url));
    const answers = await Promise.allSettled(asked);
    const said = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.balanceSun] : []));
    if (said.length === 0 || said.length < answers.length) return null;
    const sun = said.reduce((least, one) => (one < least ? one : least));
    return { sun, isDisputed: said.some((one) => one !== sun) };
  }
}
