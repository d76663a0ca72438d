import { Injectable } from '@nestjs/common';
import { toHexAddress } from '../addresses';
import type { NetworkTotals } from '../energy';
import { amountIn, notUnderstood } from './answer.reader';
import { NodeClient } from './node-client';

export interface SaidTotals extends NetworkTotals {
  /** Host of the node whose word they are. */
  readonly node: string;
}

/** The network's limits and weights of both resources. No block proves them: they are the word of the node in use. */
@Injectable()
export class NetworkTotalsReads {
  constructor(private readonly client: NodeClient) {}

  /** As shown beside the resources of this account; null when it does not exist. @throws NodeUnavailableError */
  async read(address: string): Promise<SaidTotals | null> {
    return this.client.ask('wallet', 'getaccountresource', { address: toHexAddress(address) }, (found, url) =>
      Object.keys(found).length === 0 ? null : { ...readTotals(found), node: new URL(url).host },
    );
  }
}

function readTotals(found: Record<string, unknown>): NetworkTotals {
  const rate = (limit: string, weight: string) => {
    const read = { limit: amountIn(found, limit), weight: amountIn(found, weight) };
    // Every network has staked TRX: an answer with zeros has left the fields out.
    if (read.limit === 0n || read.weight === 0n) throw notUnderstood(`${limit} and ${weight}`);
    return read;
  };
  return {
    energy: rate('TotalEnergyLimit', 'TotalEnergyWeight'),
    bandwidth: rate('TotalNetLimit', 'TotalNetWeight'),
  };
}
