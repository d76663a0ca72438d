import { Injectable } from '@nestjs/common';
import type { BlockHeader } from '../../chain/node/block-answer';
import { ChainReads } from '../../chain/node/chain-reads';
import { NodeUnavailableError } from '../../chain/node/node-errors';
import { PoolWallets } from '../../chain/wallets/pool-wallets';
import { Clock } from '../../common/clock';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { Sql } from '../../database/sql';
import {
  type DelegatedResourceFinding,
  DelegatedResourceFindings,
  type PairReading,
} from './delegated-resource-findings';
import { delegatedResource, delegatedResources, type DelegatedResource, keyOf } from './delegated-resources';
import { isExplained, stakeDifference } from './stake-difference';

/** So much at most is not explained between a wallet and a receiver. */
export interface AtMost {
  readonly foreignSun: bigint;
  readonly missingSun: bigint;
}

export interface ComparedChain {
  readonly pairs: number;
  readonly findings: DelegatedResourceFinding[];
  /** By `keyOf`; of the watched pairs, and of others that were found. */
  readonly atMost: ReadonlyMap<string, AtMost>;
}

/** A reading between two heads of which the second lies behind the first is of nobody knows which block. */
const ATTEMPTS = 5;
/** A pair counts as a finding when so many solid blocks have shown it: one node that lags pauses no wallet. */
const BLOCKS_OF_A_FINDING = 3;
const NEXT_LOOK_MS = 300;
/** A solid chain that stands still for longer is looked at again as it is. */
const LONGEST_BLOCK_MS = 10_000;

interface Suspect {
  readonly pair: DelegatedResource;
  /** Read in every block, explained or not: what was found there before is not gone because one node says so. */
  readonly watched: boolean;
  readonly readings: PairReading[];
}

/** Chain and database, both ways: what we lent is there, and what is there was lent by us. Reads only. */
@Injectable()
export class ChainComparison {
  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly pool: PoolWallets,
    private readonly pairFindings: DelegatedResourceFindings,
    private readonly clock: Clock,
  ) {}

  /**
   * @param watched pairs whose stake was not explained before, with whatever amounts
   * @throws NodeUnavailableError, or the signal's reason
   */
  async compare(watched: readonly DelegatedResource[] = [], signal?: AbortSignal): Promise<ComparedChain> {
    const pairs = await delegatedResources(this.sql, (await this.solidHead()).number);
    const unexplained = await this.unexplained(await this.allPairs(pairs, signal), signal);
    const suspects = await this.readInSeveralBlocks(suspectsOf(unexplained, watched), signal);
    const findings: DelegatedResourceFinding[] = [];
    const explain = async ({ readings }: Suspect) => {
      if (!readings.some(({ difference }) => isExplained(difference))) {
        findings.push(...(await this.pairFindings.explain(readings.at(-1)!)));
      }
    };
    await forEachConcurrently(suspects, explain, signal);
    signal?.throwIfAborted();
    // Another chain behind the node's URL shows nothing lent: what it shows is no finding, and pauses no wallet.
    await this.reads.verify();
    const atMost = new Map(suspects.map(({ pair, readings }) => [keyOf(pair), mostOf(readings)]));
    return { pairs: pairs.length, findings, atMost };
  }

  /** With those that the chain alone knows of. */
  private async allPairs(pairs: readonly DelegatedResource[], signal?: AbortSignal): Promise<DelegatedResource[]> {
    const all = [...pairs];
    for (const { id, name, address, role } of await this.pool.list()) {
      if (role !== 'delegate') continue;
      signal?.throwIfAborted();
      const known = new Set(pairs.filter((pair) => pair.walletAddress === address).map((pair) => pair.receiver));
      const others = (await this.reads.receiversOf(address)).filter((receiver) => !known.has(receiver));
      all.push(
        ...others.map((receiver) => unknownPair({ walletId: id, wallet: name, walletAddress: address, receiver })),
      );
    }
    return all;
  }

  private async unexplained(pairs: readonly DelegatedResource[], signal?: AbortSignal): Promise<DelegatedResource[]> {
    const suspects: DelegatedResource[] = [];
    const look = async (pair: DelegatedResource) => {
      const stake = await this.reads.delegatedStake(pair.walletAddress, pair.receiver);
      // Whether a lock is past makes no difference: what is locked is not explained.
      if (!isExplained(stakeDifference(pair, stake, 0))) suspects.push(pair);
    };
    await forEachConcurrently(pairs, look, signal);
    return suspects;
  }

  /** Compared again with newer rows, in one solid block after the other; who is explained once is no suspect any more. */
  private async readInSeveralBlocks(all: readonly Suspect[], signal?: AbortSignal): Promise<readonly Suspect[]> {
    let suspects = all;
    for (let seen = 1; seen <= BLOCKS_OF_A_FINDING && suspects.length > 0; seen++) {
      const { number: block } = await this.solidHead();
      const lookAgain = async ({ pair, readings }: Suspect) => void readings.push(await this.read(pair));
      await forEachConcurrently(suspects, lookAgain, signal);
      signal?.throwIfAborted();
      suspects = suspects.filter(({ watched, readings }) => watched || !isExplained(readings.at(-1)!.difference));
      if (suspects.length > 0 && seen < BLOCKS_OF_A_FINDING) await this.afterBlock(block, signal);
    }
    return suspects;
  }

  /** Rows and chain at one solid block or a little later, never earlier. */
  private async read(pair: DelegatedResource): Promise<PairReading> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { number: block, timeMs: blockTimeMs } = await this.solidHead();
      const newer = (await delegatedResource(this.sql, block, pair)) ?? { ...pair, leastSun: 0n, mostSun: 0n };
      const stake = await this.reads.delegatedStake(pair.walletAddress, pair.receiver);
      if ((await this.solidHead()).number >= block) {
        return { pair: newer, stake, blockTimeMs, difference: stakeDifference(newer, stake, blockTimeMs) };
      }
    }
    throw new NodeUnavailableError('the solid chain steps back while it is compared');
  }

  private async afterBlock(block: number, signal?: AbortSignal): Promise<void> {
    const endMs = this.clock.monotonicMs() + LONGEST_BLOCK_MS;
    while ((await this.solidHead()).number <= block && this.clock.monotonicMs() < endMs) {
      signal?.throwIfAborted();
      await this.clock.sleep(NEXT_LOOK_MS, signal);
    }
  }

  private solidHead(): Promise<BlockHeader> {
    return this.reads.solidHead();
  }
}

function suspectsOf(unexplained: readonly DelegatedResource[], watched: readonly DelegatedResource[]): Suspect[] {
  const keys = new Set(watched.map(keyOf));
  const others = unexplained.filter((pair) => !keys.has(keyOf(pair)));
  return [
    ...watched.map((pair) => ({ pair, watched: true, readings: [] })),
    ...others.map((pair) => ({ pair, watched: false, readings: [] })),
  ];
}

function mostOf(readings: readonly PairReading[]): AtMost {
  return {
    foreignSun: largest(readings.map(({ difference }) => difference.foreignSun.most)),
    missingSun: largest(readings.map(({ difference }) => difference.missingSun.most)),
  };
}

function largest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, sun) => (sun > most ? sun : most), 0n);
}

function unknownPair(pair: Omit<DelegatedResource, 'leastSun' | 'mostSun'>): DelegatedResource {
  return { ...pair, leastSun: 0n, mostSun: 0n };
}
