import { Injectable } from '@nestjs/common';
import { DiagnoseKeys } from '../chain/pool/doctor/diagnose-keys';
import { type Candidate, StakeReads, type StakeView } from '../chain/tron/node/stake-reads';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { ALL_PERCENT, LEAST_CLAIM_SUN, PAID_WITNESSES } from './care-periods';
import { CareRepository, type CareRow } from './care.repository';
import { idleVotes, isMuchIdle } from './decide-votes';

export interface LookedAt extends StakeView {
  /** Block time of the head, by which everything is due or not. */
  readonly atMs: number;
  readonly ripeSun: bigint;
}

const UNREAD = 'account_unread';

/** Reads what concerns a wallet's care, and keeps it for findings and metrics. */
@Injectable()
export class LookAtStake {
  constructor(
    private readonly reads: StakeReads,
    private readonly references: ReferenceBlocks,
    private readonly keys: DiagnoseKeys,
    private readonly cares: CareRepository,
  ) {}

  /** Null for an account that no node shows. @throws NodeUnavailableError */
  async look(care: CareRow, paid: PaidWitnesses): Promise<LookedAt | null> {
    const atMs = await this.references.headTimeMs();
    const view = await this.reads.read(care.address);
    if (view === null) return null;
    const ripeSun = ripe(view, atMs);
    const idle = idleVotes(view.power, view.votes);
    await this.cares.read(care.id, {
      atMs,
      block: view.block,
      power: view.power,
      idleVotes: idle,
      isIdle: isMuchIdle(view.power, idle),
      rewardSun: view.rewardSun,
      isRewardDue: view.rewardSun >= LEAST_CLAIM_SUN,
      ripeSun,
      unpaidWitnesses: await paid.without(new Set([...view.votes.keys(), ...care.votes.map(({ witness }) => witness)])),
      keyFault: await this.keyFault(care),
    });
    return { ...view, atMs, ripeSun };
  }

  /** What nodes say of witnesses, asked once for all wallets of a run. */
  paidWitnesses(): PaidWitnesses {
    return new PaidWitnesses(this.reads);
  }

  private async keyFault(care: CareRow): Promise<string | null | undefined> {
    const { findings } = await this.keys.diagnose(care);
    if (findings.some(({ kind }) => kind === UNREAD)) return undefined;
    const reasons = findings.map(({ reason }) => reason);
    return reasons.length > 0 ? reasons.join('; ') : null;
  }
}

/** Stake that could be withdrawn at that time. */
export function ripe({ unfreezing }: Pick<StakeView, 'unfreezing'>, atMs: number): bigint {
  return unfreezing.reduce((sum, { sun, availableMs }) => (availableMs <= atMs ? sum + sun : sum), 0n);
}

export class PaidWitnesses {
  private first: Promise<ReadonlySet<string>> | null = null;
  private readonly brokerages = new Map<string, Promise<bigint>>();

  constructor(private readonly reads: StakeReads) {}

  /** Those whose voters get nothing. @throws NodeUnavailableError */
  async without(witnesses: ReadonlySet<string>): Promise<string[]> {
    const unpaid: string[] = [];
    for (const witness of witnesses) if (!(await this.isPaid(witness))) unpaid.push(witness);
    return unpaid;
  }

  private async isPaid(witness: string): Promise<boolean> {
    this.first ??= this.reads.candidates().then(firstPaid);
    if (!(await this.first).has(witness)) return false;
    const brokerage = this.brokerages.get(witness) ?? this.reads.brokerage(witness);
    this.brokerages.set(witness, brokerage);
    return (await brokerage) < ALL_PERCENT;
  }
}

function firstPaid(candidates: readonly Candidate[]): ReadonlySet<string> {
  return new Set(candidates.slice(0, PAID_WITNESSES).map(({ address }) => address));
}
