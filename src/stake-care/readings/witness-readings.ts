import { Injectable } from '@nestjs/common';
import { type Candidate, StakeReads } from '../../chain/tron/node/stake-reads';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { Clock } from '../../common/clock';
import { PAID_WITNESSES, PERIOD_MS } from '../care-periods';
import { WitnessRepository, type WitnessRow } from './witness.repository';
import { bestRank } from './best-rank';

const EVERY_MS = 3_600_000;
/** A witness that was named just now is asked for with the next run, and all of them with it; after a failure they wait. */
const AFTER_FAILURE_MS = 300_000;

/** Reads the witnesses that wallets vote for or cares name: once an hour for all wallets. */
@Injectable()
export class WitnessReadings {
  private failedMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly reads: StakeReads,
    private readonly references: ReferenceBlocks,
    private readonly repository: WitnessRepository,
    private readonly clock: Clock,
  ) {}

  /** The instance calls it whose turn it is. @throws NodeUnavailableError */
  async refresh(): Promise<void> {
    if (this.clock.monotonicMs() - this.failedMs < AFTER_FAILURE_MS) return;
    const named = await this.repository.findDue(EVERY_MS);
    if (named.length === 0) return;
    try {
      await this.read(named);
    } catch (error) {
      this.failedMs = this.clock.monotonicMs();
      throw error;
    }
  }

  private async read(named: readonly string[]): Promise<void> {
    const atMs = await this.references.headTimeMs();
    const [lists, pay] = [await this.reads.candidates(), await this.reads.witnessPay()];
    const period = Math.floor(atMs / PERIOD_MS);
    const rows: WitnessRow[] = [];
    for (const address of named) {
      const { rank, candidates } = bestRank(lists, address);
      const { votes = 0n, madeBlocks = 0n, url = '' } = rank === null ? {} : candidates[rank - 1]!;
      const sums = {
        votes_of_paid: sumOf(candidates.slice(0, PAID_WITNESSES), (one) => one.votes),
        all_blocks: sumOf(candidates, (one) => one.madeBlocks),
        block_pay_sun: pay.blockSun,
        vote_pay_sun: pay.votesSun,
      };
      const shown = {
        url,
        rank,
        keeps_percent: Number(await this.reads.brokerage(address)),
        votes,
        made_blocks: madeBlocks,
      };
      rows.push({ address, period: BigInt(period), read_ms: BigInt(atMs), ...shown, ...sums });
    }
    await this.repository.write(rows, period);
  }
}

function sumOf(candidates: readonly Candidate[], value: (one: Candidate) => bigint): bigint {
  return candidates.reduce((sum, one) => sum + value(one), 0n);
}
