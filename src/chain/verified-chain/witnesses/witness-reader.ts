import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { forEachConcurrently } from '../../../common/concurrency/for-each-concurrently';
import { amountIn, notUnderstood, recordIn, recordsIn, requireAddress } from '../../tron/node/answer.reader';
import { NodeClient } from '../../tron/node/node-client';
import { READ_TIMEOUT_MS } from '../../tron/node/node-pool';
import type { Witness } from '../../proof/judge';

const ADDRESS = /^41[0-9a-f]{40}$/;
/**
 * java-tron lets 27 make blocks, whatever the network (its MAX_ACTIVE_WITNESS_NUM); 127 earn rewards. A longer list does not name block
 * producers.
 */
const MOST_ACTIVE = 127;
/** Candidates are listed with them: mainnet has some 400, each of which has burned 9,999 TRX to be one. */
const MOST_LISTED = 10_000;
/** A network may have maintenance up to a day apart: a time beyond two days cannot be the next one. */
const FURTHEST_MS = 48 * 3_600_000;
/** Longer than between two readings while nodes are waited for; a key may be another one after a maintenance. */
const LONGEST_KEPT_MS = 15 * 60_000;

type Json = Record<string, unknown>;

interface ReadSigner {
  readonly signer: string;
  /** On the monotonic clock. */
  readonly atMs: number;
}

/** Reads from one node which witnesses make blocks. Every method throws NodeUnavailableError. */
@Injectable()
export class WitnessReader {
  /** Signing addresses by node, of readings that were broken off: the next one goes on with them. */
  private readonly unfinished = new Map<string, ReadonlyMap<string, ReadSigner>>();

  constructor(
    private readonly nodes: NodeClient,
    private readonly clock: Clock,
  ) {}

  /**
   * The active witnesses by address.
   * @param signal aborted when no caller waits any more: no further account is asked for
   */
  async read(url: string, signal: AbortSignal): Promise<Witness[]> {
    const addresses = await this.ask(url, 'listwitnesses', {}, activeIn);
    const signing = new Map(this.keptOf(url));
    const unknown = addresses.filter((address) => !signing.has(address));
    const read = async (address: string) => {
      // Before the question: the answer may be as old.
      const atMs = this.clock.monotonicMs();
      signing.set(address, { signer: await this.signer(url, address), atMs });
    };
    this.unfinished.set(url, signing);
    await forEachConcurrently(unknown, read, signal).finally(() => signal.aborted || this.unfinished.delete(url));
    return addresses.toSorted().map((address) => ({ address, signing_address: signing.get(address)!.signer }));
  }

  private keptOf(url: string): [string, ReadSigner][] {
    const sinceMs = this.clock.monotonicMs() - LONGEST_KEPT_MS;
    return [...(this.unfinished.get(url) ?? [])].filter(([, { atMs }]) => atMs >= sinceMs);
  }

  /**
   * Chain time in milliseconds.
   * @param headTimeMs null before a head is known: then any time that a column and a Date can hold
   */
  nextMaintenanceMs(url: string, headTimeMs: number | null): Promise<number> {
    return this.ask(url, 'getnextmaintenancetime', {}, (answer) => {
      const timeMs = amountIn(answer, 'num');
      if (timeMs === 0n || !isSensible(Number(timeMs), headTimeMs)) throw notUnderstood('num');
      return Number(timeMs);
    });
  }

  /** The key of its witness permission, where it has one. */
  private signer(url: string, address: string): Promise<string> {
    return this.ask(url, 'getaccount', { address }, (account) => {
      requireAddress(account, 'address', address);
      const [key] = recordsIn(recordIn(account, 'witness_permission'), 'keys');
      return key ? addressIn(key['address'], 'witness_permission') : address;
    });
  }

  private ask<T>(url: string, route: string, body: Json, understand: (answer: Json) => T): Promise<T> {
    return this.nodes.ask('wallet', route, body, understand, READ_TIMEOUT_MS, url);
  }
}

/** Whether a time can be that of the next maintenance; of a head that is not known, any that could be one's. */
export function isSensible(timeMs: number, headTimeMs: number | null): boolean {
  return headTimeMs === null ? Number.isSafeInteger(timeMs) : Math.abs(timeMs - headTimeMs) <= FURTHEST_MS;
}

/** Before anything is asked about each of them. */
function activeIn(answer: Json): string[] {
  const listed = recordsIn(answer, 'witnesses');
  if (listed.length > MOST_LISTED) throw notUnderstood('witnesses');
  const active = listed.filter(({ isJobs }) => isJobs === true).map(({ address }) => addressIn(address, 'witnesses'));
  const isTwice = new Set(active).size < active.length;
  if (active.length === 0 || active.length > MOST_ACTIVE || isTwice) throw notUnderstood('witnesses');
  return active;
}

function addressIn(value: unknown, field: string): string {
  const address = typeof value === 'string' ? value.toLowerCase() : '';
  if (!ADDRESS.test(address)) throw notUnderstood(field);
  return address;
}
