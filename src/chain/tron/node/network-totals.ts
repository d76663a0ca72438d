import { Injectable } from '@nestjs/common';
import { toHexAddress } from '../addresses';
import type { NetworkTotals, ResourceRate } from '../energy';
import { amountIn, notUnderstood } from './answer.reader';
import { ConfiguredNodes } from './configured-nodes';
import { NodeClient } from './node-client';
import { NodeUnavailableError } from './node-errors';
import { READ_TIMEOUT_MS } from './node-pool';

export interface SaidTotals extends NetworkTotals {
  /** Host of the node whose word they are. */
  readonly node: string;
}

/** Nodes a few blocks apart differ by far less. */
const DRIFT_PERCENT = 1n;

/** The network's limits and weights of both resources. No block proves them: they are the word of nodes. */
@Injectable()
export class NetworkTotalsReads {
  constructor(
    private readonly client: NodeClient,
    private readonly nodes: ConfiguredNodes,
  ) {}

  /** By the node in use, or the one given, beside the resources of this account; null when it does not exist. @throws NodeUnavailableError */
  async read(address: string, only?: string): Promise<SaidTotals | null> {
    const body = { address: toHexAddress(address) };
    return this.client.ask('wallet', 'getaccountresource', body, readSaid, READ_TIMEOUT_MS, only);
  }

  /** What more than half of the configured nodes say alike. @throws NodeUnavailableError where too few do */
  async readAgreed(address: string): Promise<SaidTotals> {
    const urls = this.nodes.allUrls('wallet');
    const asked = await Promise.allSettled(urls.map((url) => this.read(address, url)));
    const said = asked.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []));
    const agreed = said.find((one) => said.filter((other) => areAlike(one, other)).length * 2 > urls.length);
    if (agreed) return agreed;
    const hosts = said.map(({ node }) => node).join(', ') || 'none';
    throw new NodeUnavailableError(
      `too few nodes say the same limits and weights of the network; those that answer: ${hosts}`,
    );
  }
}

function readSaid(found: Record<string, unknown>, url: string): SaidTotals | null {
  return Object.keys(found).length === 0 ? null : { ...readTotals(found), node: new URL(url).host };
}

function areAlike(one: NetworkTotals, other: NetworkTotals): boolean {
  return giveAlike(one.energy, other.energy) && giveAlike(one.bandwidth, other.bandwidth);
}

/** As much for a stake. */
function giveAlike(one: ResourceRate, other: ResourceRate): boolean {
  const [mine, theirs] = [one.limit * other.weight, other.limit * one.weight];
  const [least, most] = mine < theirs ? [mine, theirs] : [theirs, mine];
  return most * 100n <= least * (100n + DRIFT_PERCENT);
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
