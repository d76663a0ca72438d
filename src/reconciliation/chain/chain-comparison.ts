import { Injectable } from '@nestjs/common';
import type { SaidBlock } from '../../chain/proof/block-header';
import { ChainReads } from '../../chain/tron/node/chain-reads';
import { NodeUnavailableError } from '../../chain/tron/node/node-errors';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import { Clock } from '../../common/clock';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { Sql } from '../../database/sql';
import type { Finding } from '../../findings/finding';
import {
  type DelegatedResourceFinding,
  DelegatedResourceFindings,
  type PairReading,
} from './delegated-resource-findings';
import { delegatedResource, delegatedResources, type DelegatedResource, keyOf } from './delegated-resources';
import { isExplained, stakeDifference } from './stake-difference';
import { UnreadWalletsOfRun } from './unread-wallets';

/** So much at most is not explained between a wallet and a receiver. */
export interface AtMost {
  readonly foreignSun: bigint;
  readonly missingSun: bigint;
}

export interface ComparedChain {
  readonly pairs: number;
  readonly findings: DelegatedResourceFinding[];
  /** By `keyOf`; of the watched pairs, and of others that were found. Not of those that could not be read. */
  readonly atMost: ReadonlyMap<string, AtMost>;
  /** Wallets that were not compared in full, and their ids. */
  readonly unread: { readonly findings: readonly Finding[]; readonly walletIds: readonly string[] };
}

/** If the second head is lower than the first, the reading between them cannot be assigned to a block. */
const ATTEMPTS = 5;
/** A pair counts as a finding when so many solid blocks have shown it: one node that lags pauses no wallet. */
const BLOCKS_OF_A_FINDING = 3;
const NEXT_LOOK_MS = 1_000;
/** So many are read between two heads. */
const READ_TOGETHER = 10;
/** A solid chain that stands still for longer is looked at again as it is. */
const LONGEST_BLOCK_MS = 10_000;

interface Suspect {
  readonly pair: DelegatedResource;
  /** Read in every block, explained or not: what was found there before is not gone because one node says so. */
  readonly watched: boolean;
  readonly readings: PairReading[];
}

/**
 * Chain and database, both ways: what we lent is there, and what is there was lent by us. Reads only; each pair of wallet and receiver
 * costs a call, and one that differs a few more.
 */
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
   * @throws NodeUnavailableError while no node answers, or the signal's reason
   */
  async compare(watched: readonly DelegatedResource[] = [], signal?: AbortSignal): Promise<ComparedChain> {
    const { number: block } = await this.solidHead();
    const unread = new UnreadWalletsOfRun(
      (ms) => this.clock.sleep(ms, signal),
      () => this.solidHead(),
    );
    const pairs = await delegatedResources(this.sql, block);
    // Where no order lends, one node's word that nothing is lent is not enough.
    const unknown = await this.unknownPairs(pairs, unread, signal);
    const unexplained = [...unknown, ...(await this.unexplained(pairs, block, unread, signal))];
    const suspects = await this.readInSeveralBlocks(suspectsOf(unexplained, watched), unread, signal);
    const findings: DelegatedResourceFinding[] = [];
    const explain = async ({ pair, readings }: Suspect) => {
      if (readings.some(({ difference }) => isExplained(difference))) return;
      if (await this.isThereByAnother(readings.at(-1)!)) return;
      findings.push(...((await unread.read(pair, () => this.pairFindings.explain(readings.at(-1)!))) ?? []));
    };
    await forEachConcurrently(suspects, explain, signal);
    signal?.throwIfAborted();
    // Another chain behind the node's URL shows nothing lent: its reading yields no finding, and pauses no wallet.
    await this.reads.verify();
    const atMost = new Map(suspects.map(({ pair, readings }) => [keyOf(pair), mostOf(readings)]));
    return { pairs: pairs.length, findings, atMost, unread: { findings: unread.findings(), walletIds: unread.ids } };
  }

  /** Those that the chain alone knows of. */
  private async unknownPairs(
    pairs: readonly DelegatedResource[],
    unread: UnreadWalletsOfRun,
    signal?: AbortSignal,
  ): Promise<DelegatedResource[]> {
    const unknown: DelegatedResource[] = [];
    for (const { id: walletId, name: wallet, address: walletAddress, role } of await this.pool.list()) {
      if (role !== 'delegate') continue;
      signal?.throwIfAborted();
      const known = new Set(pairs.filter((pair) => pair.walletAddress === walletAddress).map((pair) => pair.receiver));
      const receivers = (await unread.read({ walletId, wallet }, () => this.reads.receiversOf(walletAddress))) ?? [];
      for (const receiver of receivers)
        if (!known.has(receiver)) unknown.push(unknownPair({ walletId, wallet, walletAddress, receiver }));
    }
    return unknown;
  }

  private async unexplained(
    pairs: readonly DelegatedResource[],
    block: number,
    unread: UnreadWalletsOfRun,
    signal?: AbortSignal,
  ): Promise<DelegatedResource[]> {
    const suspects: DelegatedResource[] = [];
    const look = async (pair: DelegatedResource) => {
      const stake = await unread.read(pair, () => this.reads.delegatedStake(pair.walletAddress, pair.receiver));
      // Whether a lock is past makes no difference: what is locked is not explained.
      if (!stake || isExplained(stakeDifference(pair, stake, 0))) return;
      // Behind a gateway's limit a run takes minutes: orders have come and gone since its rows were read.
      const newer = await this.rowsOf(pair, block);
      if (!isExplained(stakeDifference(newer, stake, 0))) suspects.push(pair);
    };
    await forEachConcurrently(pairs, look, signal);
    return suspects;
  }

  private async rowsOf(pair: DelegatedResource, block: number): Promise<DelegatedResource> {
    return (await delegatedResource(this.sql, block, pair)) ?? { ...pair, leastSun: 0n, mostSun: 0n };
  }

  /** Compared again with newer rows, in one solid block after the other; a pair that is explained once stops being a suspect. */
  private async readInSeveralBlocks(
    all: readonly Suspect[],
    unread: UnreadWalletsOfRun,
    signal?: AbortSignal,
  ): Promise<readonly Suspect[]> {
    let suspects = all;
    for (let seen = 1; seen <= BLOCKS_OF_A_FINDING && suspects.length > 0; seen++) {
      const { number: block } = await this.solidHead();
      for (let at = 0; at < suspects.length; at += READ_TOGETHER) {
        await this.readTogether(suspects.slice(at, at + READ_TOGETHER), unread, signal);
      }
      signal?.throwIfAborted();
      // One that could not be read this time has no reading of this round.
      suspects = suspects.filter(
        ({ watched, readings }) => readings.length === seen && (watched || !isExplained(readings.at(-1)!.difference)),
      );
      if (suspects.length > 0 && seen < BLOCKS_OF_A_FINDING) await this.afterBlock(block, signal);
    }
    return suspects;
  }

  /** Rows and chain at one solid block or a little later, never earlier. */
  private async readTogether(
    suspects: readonly Suspect[],
    unread: UnreadWalletsOfRun,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const head = await this.solidHead();
      const read = new Map<Suspect, PairReading>();
      const look = async (suspect: Suspect) => {
        const reading = await unread.read(suspect.pair, () => this.readUnlessHidden(suspect.pair, head));
        if (reading) read.set(suspect, reading);
      };
      await forEachConcurrently(suspects, look, signal);
      if ((await this.solidHead()).number < head.number) continue;
      for (const [{ readings }, reading] of read) readings.push(reading);
      return;
    }
    throw new NodeUnavailableError('the solid chain steps back while it is compared');
  }

  private async read(
    pair: DelegatedResource,
    { number: block, timeMs: blockTimeMs }: SaidBlock,
    url?: string,
  ): Promise<PairReading> {
    const newer = await this.rowsOf(pair, block);
    const stake = await this.reads.delegatedStake(pair.walletAddress, pair.receiver, url);
    return { pair: newer, stake, block, blockTimeMs, difference: stakeDifference(newer, stake, blockTimeMs) };
  }

  /** A node that says nothing is lent would hide what a thief has lent: what another one shows in as new a block counts before its word. */
  private async readUnlessHidden(pair: DelegatedResource, head: SaidBlock): Promise<PairReading> {
    const reading = await this.read(pair, head);
    if (!isExplained(reading.difference)) return reading;
    for await (const other of this.readOfEach(reading)) if (other.difference.foreignSun.least > 0n) return other;
    return reading;
  }

  /**
   * Whether any node shows all that this reading misses, in a solid block at least as new. Else one node that says nothing is lent would
   * have every wallet paused. Stake that one node shows and another does not is a finding: it may be lent by a thief.
   */
  private async isThereByAnother(reading: PairReading): Promise<boolean> {
    const { missingSun, foreignSun } = reading.difference;
    if (missingSun.least === 0n || foreignSun.least > 0n) return false;
    for await (const other of this.readOfEach(reading)) if (isExplained(other.difference)) return true;
    return false;
  }

  /** The same pair by each node that has a solid block as new; a node that does not answer shows nothing. */
  private async *readOfEach({ pair, block }: PairReading): AsyncGenerator<PairReading> {
    const { solidUrls } = this.reads;
    for (const url of solidUrls.length > 1 ? solidUrls : []) {
      try {
        const head = await this.reads.solidHead(url);
        if (head.number >= block) yield await this.read(pair, head, url);
      } catch (error) {
        if (!(error instanceof NodeUnavailableError)) throw error;
      }
    }
  }

  private async afterBlock(block: number, signal?: AbortSignal): Promise<void> {
    const endMs = this.clock.monotonicMs() + LONGEST_BLOCK_MS;
    while ((await this.solidHead()).number <= block && this.clock.monotonicMs() < endMs) {
      signal?.throwIfAborted();
      await this.clock.sleep(NEXT_LOOK_MS, signal);
    }
  }

  private solidHead(): Promise<SaidBlock> {
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
