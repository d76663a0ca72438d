import { Injectable } from '@nestjs/common';
import { inParallel } from '../../chain/follower/in-parallel';
import { ChainReads } from '../../chain/node/chain-reads';
import { NodeUnavailableError } from '../../chain/node/node-errors';
import { PoolAdmin } from '../../chain/pool/pool-admin';
import { Clock } from '../../common/clock';
import { Sql } from '../../database/sql';
import { lentPair, lentPairs, type LentPair } from './lent-pairs';
import { type PairFinding, PairFindings } from './pair-findings';

export interface ChainAudit {
  readonly pairs: number;
  readonly findings: PairFinding[];
}

/** A reading between two heads of which the second lies behind the first is of nobody knows which block. */
const ATTEMPTS = 5;
/** A pair counts as a finding when so many solid blocks have shown it: one node that lags pauses no wallet. */
const BLOCKS_OF_A_FINDING = 3;
const NEXT_LOOK_MS = 300;
/** A solid chain that stands still for longer is looked at again as it is. */
const LONGEST_BLOCK_MS = 10_000;

interface Reading {
  readonly pair: LentPair;
  readonly shownSun: bigint;
}

/** Chain and database, both ways: what we lent is there, and what is there was lent by us. Reads only. */
@Injectable()
export class AuditChain {
  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly pool: PoolAdmin,
    private readonly pairFindings: PairFindings,
    private readonly clock: Clock,
  ) {}

  /** @throws NodeUnavailableError */
  async audit(): Promise<ChainAudit> {
    const pairs = await lentPairs(this.sql, await this.solidBlock());
    const suspects = await this.unexplained(await this.allPairs(pairs));
    const readings = await this.stillUnexplained(suspects);
    const findings: PairFinding[] = [];
    await inParallel(readings, async ({ pair, shownSun }) => {
      findings.push(await this.pairFindings.explain(pair, shownSun));
    });
    // Another chain behind the node's URL shows nothing lent: what it told is no finding, and pauses no wallet.
    await this.reads.verify();
    return { pairs: pairs.length, findings };
  }

  /** With those that the chain alone knows of. */
  private async allPairs(pairs: readonly LentPair[]): Promise<LentPair[]> {
    const all = [...pairs];
    for (const { name, address, role } of await this.pool.list()) {
      if (role !== 'delegate') continue;
      const known = new Set(pairs.filter((pair) => pair.walletAddress === address).map((pair) => pair.receiver));
      const others = (await this.reads.receiversOf(address)).filter((receiver) => !known.has(receiver));
      all.push(...others.map((receiver) => unknownPair(name, address, receiver)));
    }
    return all;
  }

  private async unexplained(pairs: readonly LentPair[]): Promise<LentPair[]> {
    const suspects: LentPair[] = [];
    await inParallel(pairs, async (pair) => {
      const shownSun = await this.reads.delegatedSun(pair.walletAddress, pair.receiver);
      if (!explains(pair, shownSun)) suspects.push(pair);
    });
    return suspects;
  }

  /** Compared again with newer rows, in one solid block after the other; who is explained once is no suspect any more. */
  private async stillUnexplained(suspects: readonly LentPair[]): Promise<Reading[]> {
    let readings: Reading[] = suspects.map((pair) => ({ pair, shownSun: 0n }));
    for (let seen = 1; seen <= BLOCKS_OF_A_FINDING && readings.length > 0; seen++) {
      const block = await this.solidBlock();
      const still: Reading[] = [];
      await inParallel(readings, async ({ pair }) => {
        const reading = await this.compare(pair);
        if (!explains(reading.pair, reading.shownSun)) still.push(reading);
      });
      readings = still;
      if (readings.length > 0 && seen < BLOCKS_OF_A_FINDING) await this.afterBlock(block);
    }
    return readings;
  }

  /** Rows and chain at one solid block or a little later, never earlier. */
  private async compare(pair: LentPair): Promise<Reading> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const block = await this.solidBlock();
      const newer = (await lentPair(this.sql, block, pair)) ?? { ...pair, leastSun: 0n, mostSun: 0n };
      const shownSun = await this.reads.delegatedSun(pair.walletAddress, pair.receiver);
      if ((await this.solidBlock()) >= block) return { pair: newer, shownSun };
    }
    throw new NodeUnavailableError('the solid chain steps back while it is compared');
  }

  private async afterBlock(block: number): Promise<void> {
    const endMs = this.clock.monotonicMs() + LONGEST_BLOCK_MS;
    while ((await this.solidBlock()) <= block && this.clock.monotonicMs() < endMs) await this.clock.sleep(NEXT_LOOK_MS);
  }

  private async solidBlock(): Promise<number> {
    return (await this.reads.head('walletsolidity')).number;
  }
}

function explains(pair: LentPair, shownSun: bigint): boolean {
  return shownSun >= pair.leastSun && shownSun <= pair.mostSun;
}

function unknownPair(wallet: string, walletAddress: string, receiver: string): LentPair {
  return { wallet, walletAddress, receiver, leastSun: 0n, mostSun: 0n };
}
