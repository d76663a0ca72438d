import { Injectable } from '@nestjs/common';
import { freeSun, type ListedWalletRow, unfreezingOf } from '../../chain/pool/wallets/wallet-row';
import { NodeUnavailableError } from '../../chain/tron/node/node-errors';
import { type Unfreezing, unfreezeSlotsLeft } from '../../chain/tron/node/unfreezing';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { Clock } from '../../common/clock';
import { DomainError } from '../../common/errors/domain.error';
import { EARNED_DAYS, type RevenueDay, WalletRevenue } from '../../reporting/wallet-revenue/wallet-revenue';
import { CareRepository, type CareRow } from '../../stake-care/care.repository';
import { OperationRepository } from '../../stake-care/operation.repository';
import type { OperationRow } from '../../stake-care/stake-operation';
import {
  type ExpectedUnfreezing,
  type ShownStake,
  type ShownWitness,
  StakeOverview,
} from '../../stake-care/stake-overview';

/** What a node shows of a stake; where none answers, what was read or done last. Null: that is not known. */
export interface StakeFigures {
  readonly energySun: bigint;
  readonly bandwidthSun: bigint | null;
  readonly lentSun: bigint | null;
  readonly liquidSun: bigint;
  /** Energy stake that is neither lent nor promised to orders, as of the last reading. */
  readonly freeSun: bigint;
  readonly power: bigint | null;
  readonly idleVotes: bigint | null;
  readonly votes: readonly (readonly [witness: string, count: bigint])[];
  readonly rewardSun: bigint | null;
  readonly lastClaimMs: number | null;
  readonly unfreezing: readonly Unfreezing[];
  readonly slotsLeft: number;
  readonly yieldPercent: number | null;
  readonly ordersYieldPercent: number | null;
}

export interface StakeDetailsView {
  /** False: no node answers, and the figures are the database's. */
  readonly isRead: boolean;
  readonly figures: StakeFigures;
  /** By address, as a node shows them. */
  readonly witnesses: ReadonlyMap<string, ShownWitness>;
  /** Of one that begins now; null: that is not known. */
  readonly expected: ExpectedUnfreezing | null;
  readonly care: CareRow | null;
  /** The newest first. */
  readonly operations: readonly OperationRow[];
  /** The newest day first. */
  readonly earned: readonly EarnedDay[];
  readonly claimedSun: bigint;
}

/** What a wallet has earned on a UTC day. */
export interface EarnedDay {
  readonly day: string;
  readonly claimedSun: bigint;
  readonly broughtSun: bigint;
}

interface NodeWord {
  readonly stake: ShownStake;
  readonly witnesses: ReadonlyMap<string, ShownWitness>;
  readonly expected: ExpectedUnfreezing;
}

/** A page waits no longer for a node. */
const PATIENCE_MS = 2_000;
const OPERATIONS = 20;

/** What the page of a wallet's stake shows. */
@Injectable()
export class StakeDetails {
  constructor(
    private readonly overview: StakeOverview,
    private readonly cares: CareRepository,
    private readonly operations: OperationRepository,
    private readonly revenue: WalletRevenue,
    private readonly references: ReferenceBlocks,
    private readonly clock: Clock,
  ) {}

  async read(wallet: ListedWalletRow): Promise<StakeDetailsView> {
    const { id, name } = wallet;
    const care = await this.cares.find(id);
    const atMs = this.references.shownTimeMs();
    const [word, operations, last, rewards, claimed, revenue] = await Promise.all([
      this.askNode(name, care),
      this.operations.list(name, OPERATIONS),
      this.operations.lastFinal(id),
      this.operations.rewards(id, EARNED_DAYS),
      this.operations.claimed(),
      this.revenue.read(id, atMs),
    ]);
    return {
      isRead: word !== null,
      figures: word
        ? shownFigures(word.stake, wallet)
        : knownFigures(wallet, care, last.get('vote'), last.get('claim'), atMs),
      witnesses: word?.witnesses ?? new Map(),
      expected: word?.expected ?? null,
      care,
      operations,
      earned: earnedDays(rewards, revenue.days),
      claimedSun: claimed.get(id) ?? 0n,
    };
  }

  /** Null where no node answers in time, or none shows the account. */
  private async askNode(name: string, care: CareRow | null): Promise<NodeWord | null> {
    let word: NodeWord | null = null;
    const asked = this.ask(name, care).then(
      (answer) => void (word = answer),
      (error: unknown) => {
        if (!isUnread(error)) throw error;
      },
    );
    await this.clock.waitAtMost(PATIENCE_MS, asked);
    // After the page nothing waits for it.
    asked.catch(() => undefined);
    return word;
  }

  private async ask(name: string, care: CareRow | null): Promise<NodeWord> {
    const stake = await this.overview.show(name);
    const named = [...stake.view.votes.keys(), ...(care?.votes ?? []).map(({ witness }) => witness)];
    const [witnesses, expected] = await Promise.all([
      this.overview.witnesses(new Set(named)),
      this.overview.unfreezing(),
    ]);
    return { stake, witnesses, expected };
  }
}

function earnedDays(
  rewards: readonly { readonly day: string; readonly claimed_sun: bigint }[],
  revenue: readonly RevenueDay[],
): EarnedDay[] {
  const claimed = new Map(rewards.map(({ day, claimed_sun: sun }) => [day, sun]));
  const brought = new Map(revenue.map(({ day, broughtSun }) => [day, broughtSun]));
  const days = [...new Set([...claimed.keys(), ...brought.keys()])].toSorted().toReversed().slice(0, EARNED_DAYS);
  return days.map((day) => ({ day, claimedSun: claimed.get(day) ?? 0n, broughtSun: brought.get(day) ?? 0n }));
}

function isUnread(error: unknown): boolean {
  return error instanceof NodeUnavailableError || (error instanceof DomainError && error.code === 'stake.unread');
}

function shownFigures(shown: ShownStake, wallet: ListedWalletRow): StakeFigures {
  const { view, idleVotes, slotsLeft, yieldPercent, ordersYieldPercent } = shown;
  const { account, power, votes, rewardSun, lastClaimMs, unfreezing } = view;
  return {
    energySun: account.energySun + account.lentEnergySun,
    bandwidthSun: account.bandwidthSun + account.lentBandwidthSun,
    lentSun: account.lentEnergySun + account.lentBandwidthSun,
    liquidSun: account.balanceSun,
    freeSun: freeSun(wallet),
    power,
    idleVotes,
    votes: [...votes],
    rewardSun,
    lastClaimMs: lastClaimMs > 0 ? lastClaimMs : null,
    unfreezing,
    slotsLeft: Number(slotsLeft),
    yieldPercent,
    ordersYieldPercent,
  };
}

/** Votes and claims are those that have become final last. */
function knownFigures(
  wallet: ListedWalletRow,
  care: CareRow | null,
  vote: OperationRow | undefined,
  claim: OperationRow | undefined,
  atMs: number,
): StakeFigures {
  const unfreezing = unfreezingOf(wallet);
  const read = care?.read_ms == null ? null : care;
  return {
    energySun: wallet.stake_sun,
    bandwidthSun: null,
    lentSun: null,
    liquidSun: wallet.balance_sun,
    freeSun: freeSun(wallet),
    power: read?.power ?? null,
    idleVotes: read?.idle_votes ?? null,
    votes: (vote?.votes ?? []).map(({ witness, votes }) => [witness, BigInt(votes)] as const),
    rewardSun: read?.reward_sun ?? null,
    lastClaimMs: claim?.final_at?.getTime() ?? null,
    unfreezing,
    slotsLeft: unfreezeSlotsLeft(unfreezing, atMs),
    yieldPercent: null,
    ordersYieldPercent: null,
  };
}
