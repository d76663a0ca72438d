import { Injectable } from '@nestjs/common';
import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import {
  burnedADay,
  BYTES_OF_AN_ORDER,
  type OrderNeed,
  ordersCarried,
  ordersOf,
  percentOf,
  splitStake,
  type Stakes,
  stakesFor,
} from '../../chain/pool/wallets/stake-split';
import { WalletViewRepository } from '../../chain/pool/wallets/wallet-view.repository';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { NetworkTotalsReads, type SaidTotals } from '../../chain/tron/node/network-totals';
import { DomainError } from '../../common/errors/domain.error';
import { type BurnedWeek, BurnedWeeks } from '../burned-bandwidth/burned-week';

const DAY_MS = 86_400_000n;
const NOTHING: Stakes = { energySun: 0n, bandwidthSun: 0n };

/** Without orders, those that the TRX carry count; with neither, the orders of the last week. */
export interface PlanRequest {
  readonly ordersPerDay?: bigint;
  /** To be staked in all. */
  readonly totalSun?: bigint;
}

export interface StakeFigures {
  readonly ordersPerDay: bigint;
  readonly stakes: Stakes;
  readonly burnedSunPerDay: bigint;
  /** The share of what these orders bring; null where that is nothing. */
  readonly burnedSharePercent: number | null;
}

export interface StakePlanView {
  /** Its burned sun are those of these orders without the stake for bandwidth; where both are asked for, beside it. */
  readonly planned: StakeFigures;
  /** The present stake under the last week's orders, and what they burn beside it. */
  readonly now: StakeFigures;
  readonly need: OrderNeed;
  /** What an order brings, as so many sun for so many orders. */
  readonly price: Price;
  readonly week: BurnedWeek;
  readonly totals: SaidTotals;
}

interface Price {
  readonly sun: bigint;
  readonly orders: bigint;
}

/** How much to stake for which resource: from the network's present totals and the pool's own last week. */
@Injectable()
export class StakePlan {
  constructor(
    private readonly pool: PoolWallets,
    private readonly views: WalletViewRepository,
    private readonly network: NetworkTotalsReads,
    private readonly weeks: BurnedWeeks,
  ) {}

  /** @throws DomainError wallet.none-lends; NodeUnavailableError */
  async read(request: PlanRequest = {}): Promise<StakePlanView> {
    const wallets = (await this.pool.list()).filter(({ role }) => role === 'delegate');
    const [present, week, totals] = await Promise.all([this.present(wallets), this.weeks.last(), this.totals(wallets)]);
    const need = needOf(week);
    const price = this.priceOf(week);
    const weekly = ordersADay(week);
    const figures = (orders: bigint, stakes: Stakes, stakedBandwidthSun: bigint): StakeFigures => {
      const burnedSunPerDay = burnedADay(orders, stakedBandwidthSun, need, totals);
      const broughtSun = (orders * price.sun) / price.orders;
      return {
        ordersPerDay: orders,
        stakes,
        burnedSunPerDay,
        burnedSharePercent: percentOf(burnedSunPerDay, broughtSun),
      };
    };
    const plan = (orders: bigint, stakes: Stakes) => figures(orders, stakes, 0n);
    const { ordersPerDay, totalSun } = request;
    const usual = ordersPerDay ?? (weekly > 0n ? weekly : ordersCarried(present.energySun, need, totals));
    return {
      planned:
        totalSun === undefined
          ? plan(usual, stakesFor(usual, need, totals))
          : this.ofBoth(totalSun, ordersPerDay, need, totals, figures),
      now: figures(weekly, present, present.bandwidthSun),
      need,
      price,
      week,
      totals,
    };
  }

  /**
   * How to freeze TRX of a wallet, so that its energy and its bandwidth carry equally many of the pool's orders: each wallet pays the bytes of
   * its own. A plan is an operator's to judge; what is frozen stays so for 14 days, so the nodes have to agree on it. @throws NodeUnavailableError
   */
  async splitRestake(walletId: string, sun: bigint): Promise<Stakes> {
    const wallet = await this.pool.get(walletId);
    const [present, week, totals] = await Promise.all([
      this.present([wallet]),
      this.weeks.last(),
      this.network.readAgreed(wallet.address),
    ]);
    return splitStake(sun, present, needOf(week), totals);
  }

  private ofBoth(
    totalSun: bigint,
    ordersPerDay: bigint | undefined,
    need: OrderNeed,
    totals: SaidTotals,
    figures: (orders: bigint, stakes: Stakes, stakedBandwidthSun: bigint) => StakeFigures,
  ): StakeFigures {
    const stakes = splitStake(totalSun, NOTHING, need, totals);
    return ordersPerDay === undefined
      ? figures(ordersOf(totalSun, need, totals), stakes, 0n)
      : figures(ordersPerDay, stakes, stakes.bandwidthSun);
  }

  /** Lent stake counts for energy alone: bandwidth that a wallet has lent pays for none of its own transactions. */
  private async present(wallets: readonly WalletRow[]): Promise<Stakes> {
    const ids = new Set(wallets.map(({ id }) => id));
    const views = (await this.views.list()).filter(({ walletId }) => ids.has(walletId));
    return {
      energySun: wallets.reduce((sum, wallet) => sum + wallet.stake_sun, 0n),
      bandwidthSun: views.reduce((sum, { newest }) => sum + newest.view.bandwidthSun, 0n),
    };
  }

  private async totals(wallets: readonly WalletRow[]): Promise<SaidTotals> {
    for (const { address } of wallets) {
      const totals = await this.network.read(address);
      if (totals) return totals;
    }
    throw new DomainError('wallet.none-lends');
  }

  /** Before the first order, the list price of one transaction. */
  private priceOf({ landed, broughtSun }: BurnedWeek): Price {
    return landed > 0n && broughtSun > 0n
      ? { sun: broughtSun, orders: landed }
      : { sun: this.weeks.listPriceSun, orders: 1n };
  }
}

/** Before the first order, that of one transaction. */
function needOf({ landed, energy }: BurnedWeek): OrderNeed {
  const ofOne = landed > 0n ? (energy + landed - 1n) / landed : ENERGY_PER_TRANSACTION;
  return { energy: ofOne, bytes: BYTES_OF_AN_ORDER };
}

function ordersADay({ landed, elapsedMs }: BurnedWeek): bigint {
  const ms = BigInt(elapsedMs);
  return ms > 0n ? (landed * DAY_MS + ms - 1n) / ms : 0n;
}
