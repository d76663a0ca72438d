import { Injectable } from '@nestjs/common';
import type { Finding } from '../../billing/audit/audit-check';
import { ChainReads } from '../../chain/node/chain-reads';
import { PoolAdmin } from '../../chain/pool/pool-admin';
import { Sql } from '../../database/sql';
import { lentPairs, type LentPair } from './lent-pairs';

export interface ChainAudit {
  readonly pairs: number;
  readonly findings: Finding[];
}

/** Chain and database, both ways: what we lent is there, and what is there was lent by us. Reads only. */
@Injectable()
export class AuditChain {
  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly pool: PoolAdmin,
  ) {}

  /** @throws NodeUnavailableError */
  async audit(): Promise<ChainAudit> {
    const before = await this.reads.head('walletsolidity');
    const pairs = await lentPairs(this.sql, before.number);
    const findings: Finding[] = [];
    for (const pair of pairs) findings.push(...(await this.check(pair)));
    for (const wallet of await this.pool.list()) {
      if (wallet.role !== 'delegate') continue;
      const known = new Set(pairs.filter((pair) => pair.walletAddress === wallet.address).map((pair) => pair.receiver));
      for (const receiver of await this.reads.receiversOf(wallet.address)) {
        if (!known.has(receiver))
          findings.push(...(await this.check(unknownPair(wallet.name, wallet.address, receiver))));
      }
    }
    return { pairs: pairs.length, findings };
  }

  /** A pair that moved while it was read is compared once more with newer rows before it counts as a finding. */
  private async check(pair: LentPair): Promise<Finding[]> {
    const shownSun = await this.reads.delegatedSun(pair.walletAddress, pair.receiver);
    if (explains(pair, shownSun)) return [];
    const solid = await this.reads.head('walletsolidity');
    const newer = (await lentPairs(this.sql, solid.number)).find((other) => samePair(other, pair)) ?? {
      ...pair,
      leastSun: 0n,
      mostSun: 0n,
    };
    const againSun = await this.reads.delegatedSun(pair.walletAddress, pair.receiver);
    return explains(newer, againSun) ? [] : [finding(newer, againSun)];
  }
}

function explains(pair: LentPair, shownSun: bigint): boolean {
  return shownSun >= pair.leastSun && shownSun <= pair.mostSun;
}

function samePair(a: LentPair, b: LentPair): boolean {
  return a.walletAddress === b.walletAddress && a.receiver === b.receiver;
}

function unknownPair(wallet: string, walletAddress: string, receiver: string): LentPair {
  return { wallet, walletAddress, receiver, leastSun: 0n, mostSun: 0n };
}

function finding(pair: LentPair, shownSun: bigint): Finding {
  const subject = `${pair.wallet} to ${pair.receiver}`;
  return shownSun < pair.leastSun
    ? {
        kind: 'delegation_missing',
        subject,
        reason: `the chain shows ${shownSun} sun lent, the orders say at least ${pair.leastSun}`,
        next_step:
          'Stake was taken back by somebody else with the wallet key: pause the wallet (pool:pause) and find out who.',
      }
    : {
        kind: 'delegation_foreign',
        subject,
        reason: `the chain shows ${shownSun} sun lent, the orders explain at most ${pair.mostSun}`,
        next_step:
          'Lent outside of this service: take it back by hand, or leave it and know that the stake is not for orders.',
      };
}
