import { hostname } from 'node:os';
import { Injectable, Logger } from '@nestjs/common';
import type { Operator } from '../audit-log/audit-log';
import { transactionsPaid } from '../chain/pool/wallets/fees';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import { withCallPriority } from '../chain/tron/node/call-priority';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { DomainError } from '../common/errors/domain.error';
import { SUN_PER_TRX } from '../common/money/sun';
import { Shutdown } from '../common/shutdown';
import { StakePlan } from '../reporting/stake-plan/stake-plan';
import { after, DAY_MS, dayOf, LEAST_CLAIM_SUN, periodOf } from './care-periods';
import { CareRepository, type CareRow } from './care.repository';
import { CarryOut } from './carry-out';
import { asVotes, idleVotes, mustVote, namedPower, sharePower, sumOf } from './decide-votes';
import { LookAtStake, type LookedAt } from './look-at-stake';
import { OperationRepository } from './operation.repository';
import { PlanOperation, type WantedOperation } from './plan-operation';
import type { ReadingRow } from './readings/reading-row';
import { ReadingRepository } from './readings/reading.repository';
import { WitnessReadings } from './readings/witness-readings';
import { ReceivedAmounts } from './received-amounts';
import type { OperationKind, OperationRow } from './stake-operation';

/** No operator asked for it: the address tells a reader of the log which instance it was. */
const CARE: Operator = { id: null, service: 'stake care', address: hostname() };
/** After these the power to vote has changed. */
const CHANGES_POWER: readonly OperationKind[] = ['freeze', 'unfreeze', 'cancel-unfreeze'];
/** Each wallet with care is looked at so often; sooner when something of it has become final. */
const LOOK_MS = 600_000;
/** The others earn or lose by what their owners do; that is only told. */
const LOOK_WITHOUT_CARE_MS = 3_600_000;

/** A vote for thirty witnesses takes four of our usual transactions. */
const MOST_TRANSACTIONS = 4n;

type Finals = ReadonlyMap<OperationKind, OperationRow>;

/**
 * What a stake needs to earn, without an operator: votes, claims, stakes again, withdraws. A node's word decides only whether something is
 * tried: each of these has an occasion, of which the database takes one.
 */
@Injectable()
export class StakeCare {
  private readonly logger = new Logger(StakeCare.name);
  /** Ids of wallets whose stake could not be read last: that is logged once. */
  private readonly unread = new Set<string>();

  constructor(
    private readonly pool: PoolWallets,
    private readonly cares: CareRepository,
    private readonly operations: OperationRepository,
    private readonly stake: LookAtStake,
    private readonly readings: ReadingRepository,
    private readonly witnesses: WitnessReadings,
    private readonly received: ReceivedAmounts,
    private readonly references: ReferenceBlocks,
    private readonly plan: StakePlan,
    private readonly planOperation: PlanOperation,
    private readonly carryOut: CarryOut,
    private readonly shutdown: Shutdown,
  ) {}

  /** Looks at wallets that are due. One that fails keeps no other from its care. */
  run(): Promise<void> {
    return withCallPriority('audit', () => this.runAll(LOOK_MS, LOOK_WITHOUT_CARE_MS));
  }

  /** Looks at all of them. */
  runNow(): Promise<void> {
    return withCallPriority('audit', () => this.runAll(0, 0));
  }

  private async runAll(everyMs: number, othersMs: number): Promise<void> {
    await this.received.record();
    const due = await this.readings.findDue(everyMs, othersMs, this.references.lastTimeMs());
    for (const wallet of due.size > 0 ? await this.readings.list() : []) {
      if (!due.has(wallet.id) || this.shutdown.signal.aborted) continue;
      await this.lookAt(wallet).catch((error: unknown) =>
        this.logger.warn({ err: error, wallet: wallet.name }, 'The care of a wallet has failed; a later run goes on'),
      );
    }
    if (!this.shutdown.signal.aborted) await this.witnesses.refresh();
  }

  private async lookAt(wallet: ReadingRow): Promise<void> {
    try {
      const finals = await this.operations.lastFinal(wallet.id);
      const looked = await this.stake.look(wallet).catch((error: unknown) => this.noteUnread(wallet, error));
      // A node that does not show what is final yet would have the same done again.
      const newest = [...finals.values()].reduce((block, row) => greatest(row.block_number!, block), 0n);
      if (looked === null) this.noteUnread(wallet, null);
      else this.unread.delete(wallet.id);
      if (looked === null || BigInt(looked.block) < newest) return await this.readings.failed(wallet.id);
      const care = await this.cares.find(wallet.id);
      if (care) await this.careFor(care, looked, finals);
    } catch (error) {
      await this.readings.failed(wallet.id);
      throw error;
    }
  }

  /** Once, until the stake is read again. */
  private noteUnread({ id, name }: ReadingRow, error: unknown): null {
    if (!this.unread.has(id))
      this.logger.warn(
        { err: error ?? undefined, wallet: name },
        `The stake of ${name} cannot be read; later looks try again`,
      );
    this.unread.add(id);
    return null;
  }

  private async careFor(care: CareRow, looked: LookedAt, finals: Finals): Promise<void> {
    for (const wanted of [
      ...this.withdrawal(care, looked),
      ...this.claim(care, looked, finals),
      ...(await this.freezing(care, looked, finals)),
      ...(await this.vote(care, looked, finals)),
    ])
      await this.begin(care, wanted);
  }

  private withdrawal({ name }: CareRow, { ripeSun, atMs }: LookedAt): WantedOperation[] {
    return ripeSun > 0n ? [{ name, kind: 'withdraw', amountSun: ripeSun, occasion: dayOf(atMs) }] : [];
  }

  private claim(care: CareRow, { rewardSun, lastClaimMs, atMs }: LookedAt, finals: Finals): WantedOperation[] {
    if (!care.claims || rewardSun < LEAST_CLAIM_SUN) return [];
    const lastMs = Math.max(lastClaimMs, finals.get('claim')?.final_at?.getTime() ?? 0);
    if (atMs - lastMs < DAY_MS) return [];
    return [{ name: care.name, kind: 'claim', amountSun: rewardSun, occasion: dayOf(atMs) }];
  }

  /** Once after each claim: all that is liquid above what is to stay so. What was unfrozen and withdrawn is for something else. */
  private async freezing(care: CareRow, { liquidSun, atMs }: LookedAt, finals: Finals): Promise<WantedOperation[]> {
    const claim = finals.get('claim');
    if (!care.restakes || !claim || care.state === 'draining') return [];
    const withdrawnSun = await this.operations.withdrawn(care.id, atMs);
    if (withdrawnSun === null) return [];
    const sparedSun = wholeTrx(liquidSun - care.keep_liquid_sun - withdrawnSun);
    if (sparedSun < SUN_PER_TRX) return [];
    const decided = await this.decide(care, claim, sparedSun);
    const parts = [
      ['energy', decided.restake_energy_sun],
      ['bandwidth', decided.restake_bandwidth_sun],
    ] as const;
    return parts.flatMap(([resource, decidedSun]): WantedOperation[] => {
      const amountSun = least(decidedSun ?? 0n, sparedSun);
      if (amountSun < SUN_PER_TRX) return [];
      return [{ name: care.name, kind: 'freeze', resource, amountSun, occasion: `${after(claim.id)} ${resource}` }];
    });
  }

  private async decide(care: CareRow, claim: OperationRow, sparedSun: bigint): Promise<OperationRow> {
    if (claim.restake_energy_sun !== null) return claim;
    try {
      const { energySun, bandwidthSun } = await this.plan.splitRestake(care.id, sparedSun);
      return await this.operations.decideRestake(claim.id, energySun, bandwidthSun);
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error;
      this.logger.warn(
        { err: error, wallet: care.name },
        'It is not known for what to stake again; the next look asks',
      );
      return claim;
    }
  }

  /** Once in each period, and once after each change of the power by our own hand. */
  private async vote(care: CareRow, looked: LookedAt, finals: Finals): Promise<WantedOperation[]> {
    const { name, votes: shares } = care;
    const { votes, atMs } = looked;
    const power = await this.powerToVote(care, looked);
    const isDue = mustVote(power, votes, shares);
    const followsChange = shares.length > 0 && idleVotes(power, votes) > 0n;
    if (!isDue && !followsChange) return [];
    const changes = CHANGES_POWER.flatMap((kind) => finals.get(kind) ?? []);
    const occasions = [...changes.map(({ id }) => after(id)), ...(isDue ? [periodOf(atMs)] : [])];
    const wanted = asVotes(sharePower(power, shares));
    return occasions.map((occasion) => ({
      name,
      kind: 'vote' as const,
      amountSun: power * SUN_PER_TRX,
      votes: wanted,
      occasion,
    }));
  }

  /**
   * The network refuses each vote that exceeds the power: after one that was lost the most that a node says is not believed. What the refusal
   * has named counts where it brings votes; once these are cast, the next period tries what nodes say, or stake that is new would never vote.
   */
  private async powerToVote({ id }: CareRow, { power, leastPower, votes }: LookedAt): Promise<bigint> {
    const lost = await this.operations.lostVote(id);
    if (lost === null) return power;
    const cast = sumOf(votes);
    const named = namedPower(lost.error);
    if (named !== null && named > cast && named < leastPower) return named;
    return leastPower < cast ? power : leastPower;
  }

  private async begin(care: CareRow, wanted: WantedOperation): Promise<void> {
    if (await this.operations.isTried(care.id, wanted.kind, wanted.occasion!)) return;
    // What the reclaims of its orders take of bandwidth and TRX stays theirs.
    const wallet = await this.pool.get(care.id);
    const due = (await this.pool.hasLiveOrders(care.id)) ? wallet.transactions_due : 0n;
    if (transactionsPaid(wallet) < due + MOST_TRANSACTIONS) return;
    try {
      await this.carryOut.carryOutHere(await this.planOperation.plan(CARE, wanted));
    } catch (error) {
      // Another instance was faster.
      if (!(error instanceof DomainError)) throw error;
    }
  }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function greatest(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function wholeTrx(sun: bigint): bigint {
  return sun - (sun % SUN_PER_TRX);
}
