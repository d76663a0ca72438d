import { Injectable } from '@nestjs/common';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import type { WalletRow } from '../chain/pool/wallets/wallet-row';
import { StakeReads, type StakeView } from '../chain/tron/node/stake-reads';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { DomainError, MissingError } from '../common/errors/domain.error';
import { WalletRevenue } from '../reporting/wallet-revenue/wallet-revenue';
import { CareRepository, type CareRow } from './care.repository';
import { idleVotes } from './decide-votes';
import { OperationRepository } from './operation.repository';
import { WitnessRepository } from './readings/witness.repository';
import { bestRank } from './readings/best-rank';
import { paysVoters, yieldOfWitness } from './readings/witness-yield';
import { yieldPercent } from './stake-yield';

export interface ShownStake {
  readonly wallet: WalletRow;
  readonly view: StakeView;
  readonly idleVotes: bigint;
  readonly slotsLeft: bigint;
  /** A year's rewards at the rate of the last claims, in per cent of the stake; null before the second one. */
  readonly yieldPercent: number | null;
  /** The same of what orders bring; null before there was one. */
  readonly ordersYieldPercent: number | null;
  /** What a vote for each of its witnesses yields, as far as that is known. */
  readonly witnessYields: ReadonlyMap<string, number | null>;
  readonly care: CareRow | null;
}

/** A wallet whose stake no node shows now, and why. */
export interface UnreadStake {
  readonly wallet: WalletRow;
  readonly error: unknown;
}

/** How a node shows a witness. */
export interface ShownWitness {
  /** Its name, as far as it has one: any text. */
  readonly url: string;
  /** Among all candidates by votes: from 1 on. */
  readonly rank: number;
  /** Per cent of its pay that it keeps from its voters. */
  readonly keepsPercent: bigint;
  /** Its voters get something. */
  readonly pays: boolean;
  /** What a vote for it brought over the last periods, as per cent of the vote's TRX in a year; null: that is not known. */
  readonly yieldPercent: number | null;
}

export interface ExpectedUnfreezing {
  /** When its TRX come. */
  readonly availableAt: Date;
  /** It takes all votes, and the stake that is left gives none. */
  readonly endsVotes: boolean;
}

/** What wallets have staked, how they vote and what they earn, as a node shows it now. */
@Injectable()
export class StakeOverview {
  constructor(
    private readonly pool: PoolWallets,
    private readonly reads: StakeReads,
    private readonly cares: CareRepository,
    private readonly operations: OperationRepository,
    private readonly readings: WitnessRepository,
    private readonly revenue: WalletRevenue,
    private readonly references: ReferenceBlocks,
  ) {}

  /** One wallet that lends. @throws DomainError, NodeUnavailableError */
  async show(name: string): Promise<ShownStake> {
    const { read, unread } = await this.showAll(name);
    if (!read[0]) throw unread[0]!.error;
    return read[0];
  }

  /** One wallet that lends, or all of them: one that cannot be read keeps no other from being shown. @throws DomainError, NodeUnavailableError */
  async showAll(
    name?: string,
  ): Promise<{ readonly read: readonly ShownStake[]; readonly unread: readonly UnreadStake[] }> {
    const wallets = name === undefined ? await this.lending() : [await this.find(name)];
    const [cares, times] = [await this.cares.list(), await this.operations.claimTimes()];
    const [atMs, readings] = [await this.references.headTimeMs(), await this.readings.byAddress()];
    const shown = wallets.map(async (wallet) => {
      const view = await this.read(wallet);
      const [claims, orders] = [times.get(wallet.id), await this.revenue.read(wallet.id, atMs)];
      return {
        wallet,
        view,
        idleVotes: idleVotes(view.power, view.votes),
        slotsLeft: await this.reads.unfreezeSlots(wallet.address),
        yieldPercent: claims ? yieldPercent(claims.sun, Number(claims.elapsed_ms), stakeOf(view)) : null,
        ordersYieldPercent: yieldPercent(orders.sun, orders.elapsedMs, stakeOf(view)),
        witnessYields: new Map([...view.votes.keys()].map((one) => [one, yieldOfWitness(readings.get(one) ?? [])])),
        care: cares.find(({ id }) => id === wallet.id) ?? null,
      };
    });
    const outcomes = await Promise.allSettled(shown);
    const unread: UnreadStake[] = [];
    const read = outcomes.flatMap((outcome, at) => {
      if (outcome.status === 'fulfilled') return [outcome.value];
      unread.push({ wallet: wallets[at]!, error: outcome.reason as unknown });
      return [];
    });
    return { read, unread };
  }

  /** By address; one that is not among the candidates is missing. @throws NodeUnavailableError */
  async witnesses(addresses: ReadonlySet<string>): Promise<ReadonlyMap<string, ShownWitness>> {
    if (addresses.size === 0) return new Map();
    const lists = await this.reads.candidates();
    const readings = await this.readings.byAddress();
    const shown = [...addresses].map(async (address) => {
      const { rank, candidates } = bestRank(lists, address);
      if (rank === null) return [];
      const keepsPercent = await this.reads.brokerage(address);
      const pays = paysVoters({ rank, keeps_percent: Number(keepsPercent) });
      const ofVote = yieldOfWitness(readings.get(address) ?? []);
      const { url } = candidates[rank - 1]!;
      return [[address, { url, rank, keepsPercent, pays, yieldPercent: ofVote }] as const];
    });
    return new Map((await Promise.all(shown)).flat());
  }

  /** What an unfreezing comes to that begins now. @throws NodeUnavailableError */
  async unfreezing(): Promise<ExpectedUnfreezing> {
    const { delayMs, endsVotes } = await this.reads.unfreezeRules();
    return { availableAt: new Date((await this.references.headTimeMs()) + delayMs), endsVotes };
  }

  /** A wallet that can have care. @throws DomainError */
  async find(name: string): Promise<WalletRow> {
    const wallets = (await this.pool.list()).filter((wallet) => wallet.name === name);
    if (wallets.length === 0) throw new MissingError('wallet.not-found', { name });
    const wallet = wallets.find(({ role }) => role === 'delegate');
    if (!wallet) throw new DomainError('stake.not-lending', { name });
    return wallet;
  }

  /** @throws DomainError, NodeUnavailableError */
  async read({ name, address }: WalletRow): Promise<StakeView> {
    const view = await this.reads.read(address);
    if (view === null) throw new DomainError('stake.unread', { name });
    return view;
  }

  private async lending(): Promise<WalletRow[]> {
    return (await this.pool.list()).filter(({ role }) => role === 'delegate');
  }
}

function stakeOf({ account }: StakeView): bigint {
  return account.energySun + account.bandwidthSun + account.lentEnergySun + account.lentBandwidthSun;
}
