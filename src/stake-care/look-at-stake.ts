import { Injectable } from '@nestjs/common';
import { DiagnoseKeys } from '../chain/pool/doctor/diagnose-keys';
import { StakeReads, type StakeView } from '../chain/tron/node/stake-reads';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { LEAST_CLAIM_SUN } from './care-periods';
import { CareRepository, type CareRow } from './care.repository';
import { idleVotes, isMuchIdle } from './decide-votes';
import type { ReadingRow } from './readings/reading-row';
import { ReadingRepository } from './readings/reading.repository';

export interface LookedAt extends StakeView {
  /** Block time of the head, by which everything is due or not. */
  readonly atMs: number;
  readonly ripeSun: bigint;
}

/** No node or no signer answers: nothing is known of the key, then. Both are findings of their own. */
const UNKNOWN = ['account_unread', 'signer_unavailable'];
/** The key cannot be read on this machine. */
const NO_KEY = 'wrong_key';

/** Reads what a wallet's stake earns, and keeps it for findings and metrics. */
@Injectable()
export class LookAtStake {
  constructor(
    private readonly reads: StakeReads,
    private readonly references: ReferenceBlocks,
    private readonly keys: DiagnoseKeys,
    private readonly cares: CareRepository,
    private readonly readings: ReadingRepository,
  ) {}

  /** Null for an account that no node shows. @throws NodeUnavailableError */
  async look({ id, address }: Pick<ReadingRow, 'id' | 'address'>): Promise<LookedAt | null> {
    const atMs = await this.references.headTimeMs();
    const view = await this.reads.read(address);
    if (view === null) return null;
    const ripeSun = ripe(view, atMs);
    const idle = idleVotes(view.power, view.votes);
    await this.readings.read(id, {
      atMs,
      block: view.block,
      power: view.power,
      idleVotes: idle,
      isIdle: isMuchIdle(view.power, idle),
      rewardSun: view.rewardSun,
      isRewardDue: view.rewardSun >= LEAST_CLAIM_SUN,
      ripeSun,
      votedFor: [...view.votes.keys()],
    });
    const care = await this.cares.find(id);
    if (care) await this.judgeKey(care, atMs);
    return { ...view, atMs, ripeSun };
  }

  /** While it is unknown what the key may do, what was known stands. */
  private async judgeKey(care: CareRow, atMs: number): Promise<void> {
    const { findings } = await this.keys.diagnose(care);
    if (findings.some(({ kind }) => UNKNOWN.includes(kind))) return;
    const isOfPlace = findings.some(({ kind }) => kind === NO_KEY);
    const reason = findings.map((one) => one.reason).join('; ');
    await this.readings.noteKey(care.id, atMs, reason === '' ? null : { reason, isOfPlace });
  }
}

/** Stake that could be withdrawn at that time. */
export function ripe({ unfreezing }: Pick<StakeView, 'unfreezing'>, atMs: number): bigint {
  return unfreezing.reduce((sum, { sun, availableMs }) => (availableMs <= atMs ? sum + sun : sum), 0n);
}
