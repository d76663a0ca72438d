import { Injectable } from '@nestjs/common';
import { inParallel } from '../../chain/follower/in-parallel';
import { ChainReads } from '../../chain/node/chain-reads';
import { PoolAdmin } from '../../chain/pool/pool-admin';
import { Sql } from '../../database/sql';
import { lentPair, lentPairs, type LentPair } from './lent-pairs';
import { type PairFinding, PairFindings } from './pair-findings';

export interface ChainAudit {
  readonly pairs: number;
  readonly findings: PairFinding[];
}

/** Chain and database, both ways: what we lent is there, and what is there was lent by us. Reads only. */
@Injectable()
export class AuditChain {
  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly pool: PoolAdmin,
    private readonly pairFindings: PairFindings,
  ) {}

  /** @throws NodeUnavailableError */
  async audit(): Promise<ChainAudit> {
    const before = await this.reads.head('walletsolidity');
    const pairs = await lentPairs(this.sql, before.number);
    const findings: PairFinding[] = [];
    const check = async (pair: LentPair) => void findings.push(...(await this.check(pair)));
    await inParallel(pairs, check);
    for (const wallet of await this.pool.list()) {
      if (wallet.role !== 'delegate') continue;
      const known = new Set(pairs.filter((pair) => pair.walletAddress === wallet.address).map((pair) => pair.receiver));
      const others = (await this.reads.receiversOf(wallet.address)).filter((receiver) => !known.has(receiver));
      await inParallel(
        others.map((receiver) => unknownPair(wallet.name, wallet.address, receiver)),
        check,
      );
    }
    return { pairs: pairs.length, findings };
  }

  /** A pair that moved while it was read is compared once more with newer rows before it counts as a finding. */
  private async check(pair: LentPair): Promise<PairFinding[]> {
    const shownSun = await this.reads.delegatedSun(pair.walletAddress, pair.receiver);
    if (explains(pair, shownSun)) return [];
    const solid = await this.reads.head('walletsolidity');
    const newer = (await lentPair(this.sql, solid.number, pair)) ?? { ...pair, leastSun: 0n, mostSun: 0n };
    const againSun = await this.reads.delegatedSun(pair.walletAddress, pair.receiver);
    return explains(newer, againSun) ? [] : [await this.pairFindings.explain(newer, againSun)];
  }
}

function explains(pair: LentPair, shownSun: bigint): boolean {
  return shownSun >= pair.leastSun && shownSun <= pair.mostSun;
}

function unknownPair(wallet: string, walletAddress: string, receiver: string): LentPair {
  return { wallet, walletAddress, receiver, leastSun: 0n, mostSun: 0n };
}
