import { Injectable } from '@nestjs/common';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { amountIn, notUnderstood, recordIn, recordsIn } from '../node/answer.reader';
import { NodeClient } from '../node/node-client';
import { READ_TIMEOUT_MS } from '../node/node-pool';
import type { Witness } from '../proof/judge';

const ADDRESS = /^41[0-9a-f]{40}$/;

type Json = Record<string, unknown>;

/** Who makes blocks, as one node says. Every method throws NodeUnavailableError. */
@Injectable()
export class WitnessReader {
  constructor(private readonly nodes: NodeClient) {}

  /** The active witnesses by address. The signing address is taken from `known` where that has it. */
  async read(url: string, known: ReadonlyMap<string, string>): Promise<Witness[]> {
    const addresses = await this.ask(url, 'listwitnesses', {}, (answer) =>
      recordsIn(answer, 'witnesses')
        .filter(({ isJobs }) => isJobs === true)
        .map(({ address }) => addressIn(address, 'witnesses')),
    );
    if (addresses.length === 0) throw notUnderstood('witnesses');
    const signing = new Map(known);
    const unknown = addresses.filter((address) => !known.has(address));
    await forEachConcurrently(unknown, async (address) => void signing.set(address, await this.signer(url, address)));
    return addresses.toSorted().map((address) => ({ address, signing_address: signing.get(address)! }));
  }

  /** Chain time in milliseconds. */
  nextMaintenanceMs(url: string): Promise<number> {
    return this.ask(url, 'getnextmaintenancetime', {}, (answer) => {
      const timeMs = Number(amountIn(answer, 'num'));
      if (timeMs === 0) throw notUnderstood('num');
      return timeMs;
    });
  }

  /** The key of its witness permission, where it has one. */
  private signer(url: string, address: string): Promise<string> {
    return this.ask(url, 'getaccount', { address }, (account) => {
      if (account['address'] === undefined) throw notUnderstood('address');
      const [key] = recordsIn(recordIn(account, 'witness_permission'), 'keys');
      return key ? addressIn(key['address'], 'witness_permission') : address;
    });
  }

  private ask<T>(url: string, route: string, body: Json, understand: (answer: Json) => T): Promise<T> {
    return this.nodes.ask('wallet', route, body, understand, READ_TIMEOUT_MS, url);
  }
}

function addressIn(value: unknown, field: string): string {
  const address = typeof value === 'string' ? value.toLowerCase() : '';
  if (!ADDRESS.test(address)) throw notUnderstood(field);
  return address;
}
