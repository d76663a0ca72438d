import { Injectable } from '@nestjs/common';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import type { WalletRow } from '../chain/pool/wallets/wallet-row';
import { StakeReads, type StakeView } from '../chain/tron/node/stake-reads';
import { DomainError, MissingError } from '../common/errors/domain.error';
import { ALL_PERCENT, DAY_MS, PAID_WITNESSES } from './care-periods';
import { CareRepository, type CareRow } from './care.repository';
import { idleVotes } from './decide-votes';
import { type ClaimedSums, OperationRepository } from './operation.repository';

export interface ShownStake {
  readonly wallet: WalletRow;
  readonly view: StakeView;
  readonly idleVotes: bigint;
  readonly slotsLeft: bigint;
  /** A year's rewards at the rate of the last thirty days, in per cent of the stake; null before the first claim. */
  readonly yieldPercent: number | null;
  readonly care: CareRow | null;
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
}

/** Days of rewards that a yield is reckoned from. */
const YIELD_DAYS = 30;
const DAYS_A_YEAR = 365;

/** What wallets have staked, how they vote and what they earn, as a node shows it now. */
@Injectable()
export class StakeOverview {
  constructor(
    private readonly pool: PoolWallets,
    private readonly reads: StakeReads,
    private readonly cares: CareRepository,
    private readonly operations: OperationRepository,
  ) {}

  /** One wallet that lends, or all of them. @throws DomainError, NodeUnavailableError */
  async show(name?: string): Promise<ShownStake[]> {
    const wallets = name === undefined ? await this.lending() : [await this.find(name)];
    const [cares, claimed] = [await this.cares.list(), await this.operations.claimed()];
    return Promise.all(
      wallets.map(async (wallet) => {
        const view = await this.read(wallet);
        return {
          wallet,
          view,
          idleVotes: idleVotes(view.power, view.votes),
          slotsLeft: await this.reads.unfreezeSlots(wallet.address),
          yieldPercent: yieldOf(claimed.get(wallet.id), view),
          care: cares.find(({ id }) => id === wallet.id) ?? null,
        };
      }),
    );
  }

  /** By address; one that is not among the candidates is missing. @throws NodeUnavailableError */
  async witnesses(addresses: ReadonlySet<string>): Promise<ReadonlyMap<string, ShownWitness>> {
    if (addresses.size === 0) return new Map();
    const candidates = [...(await this.reads.candidates()).entries()].filter(([, { address }]) =>
      addresses.has(address),
    );
    const shown = candidates.map(async ([at, { address, url }]) => {
      const keepsPercent = await this.reads.brokerage(address);
      const pays = at < PAID_WITNESSES && keepsPercent < ALL_PERCENT;
      return [address, { url, rank: at + 1, keepsPercent, pays }] as const;
    });
    return new Map(await Promise.all(shown));
  }

  /** When the TRX of an unfreezing come that begins now. @throws NodeUnavailableError */
  async unfreezesAt(): Promise<Date> {
    return new Date(Date.now() + (await this.reads.unfreezeDelayMs()));
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

function yieldOf(claimed: ClaimedSums | undefined, { account }: StakeView): number | null {
  const stakeSun = account.energySun + account.bandwidthSun + account.lentEnergySun + account.lentBandwidthSun;
  if (!claimed || stakeSun === 0n) return null;
  const days = Math.min(YIELD_DAYS, Math.max(1, Math.ceil((Date.now() - claimed.since.getTime()) / DAY_MS)));
  return Math.round((Number(claimed.sun) / Number(stakeSun) / days) * DAYS_A_YEAR * 10_000) / 100;
}
