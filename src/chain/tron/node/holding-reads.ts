import { Injectable } from '@nestjs/common';
import { toHexAddress } from '../addresses';
import { amountIn, notUnderstood } from './answer.reader';
import { ChainReads } from './chain-reads';
import { addressWord, callBody, readCallResult } from './constant-call';
import { NodeClient } from './node-client';
import { READ_TIMEOUT_MS } from './node-pool';

/** What nodes say that an address holds in their solid views. */
export interface Holdings {
  /** Nothing of them is of an earlier block than this one, nor of a later one than `block`: a node's view moves on between two answers. */
  readonly since: number;
  readonly block: number;
  readonly sun: bigint;
  /** The token, in its smallest unit. */
  readonly units: bigint;
}

@Injectable()
export class HoldingReads {
  constructor(
    private readonly client: NodeClient,
    private readonly reads: ChainReads,
  ) {}

  /** The least that those of the nodes say that answer: one of them may say too much. @throws NodeUnavailableError */
  async read(address: string, token: string): Promise<Holdings> {
    const said = await Promise.allSettled(this.reads.solidUrls.map((url) => this.readFrom(url, address, token)));
    const holdings = said.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [first, ...others] = holdings;
    const failed = said.find((one) => one.status === 'rejected');
    if (!first) throw failed?.reason ?? notUnderstood('what an address holds');
    return others.reduce(
      (least, { since, block, sun, units }) => ({
        since: Math.min(least.since, since),
        block: Math.max(least.block, block),
        sun: sun < least.sun ? sun : least.sun,
        units: units < least.units ? units : least.units,
      }),
      first,
    );
  }

  private async readFrom(url: string, address: string, token: string): Promise<Holdings> {
    const hex = toHexAddress(address);
    const { number: since } = await this.reads.solidHead(url);
    const sun = await this.client.ask('walletsolidity', 'getaccount', { address: hex }, readSun, READ_TIMEOUT_MS, url);
    const units = await this.units(url, address, token);
    const { number: block } = await this.reads.solidHead(url);
    return { since, block, sun, units };
  }

  /** What this node says that an address holds of the token. @throws NodeUnavailableError */
  units(url: string, address: string, token: string): Promise<bigint> {
    const hex = toHexAddress(address);
    const call = {
      caller: hex,
      contract: toHexAddress(token),
      method: 'balanceOf(address)',
      parameter: addressWord(hex),
    };
    return this.client.ask(
      'walletsolidity',
      'triggerconstantcontract',
      callBody(call),
      readUnits,
      READ_TIMEOUT_MS,
      url,
    );
  }
}

type Answer = Record<string, unknown>;

const readSun = (found: Answer) => amountIn(found, 'balance');

function readUnits(found: Answer): bigint {
  const result = readCallResult(found);
  if (result?.kind !== 'done' || !/^[0-9a-f]{64}$/i.test(result.output)) throw notUnderstood('balanceOf');
  return BigInt(`0x${result.output}`);
}
