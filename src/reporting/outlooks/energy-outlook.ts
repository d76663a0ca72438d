import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import { energyOfStake, type EnergyRate, largestEnergy } from '../../chain/tron/energy';
import { Capacity } from '../../chain/pool/wallets/capacity';
import { ChooseWallet } from '../../chain/pool/wallets/choose-wallet';
import { lendableSun } from '../../chain/pool/wallets/fees';
import { type CurvePoint, PoolForecast } from '../../chain/pool/wallets/pool-forecast';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import { freeSun, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import { emptyInMs } from './empty-in';
import { OrderOverviewRepository } from '../overviews/order-overview.repository';

export interface EnergyPoint {
  readonly afterMs: number;
  /** If every receiver uses all of its energy at the last moment. */
  readonly least: bigint;
  /** If no receiver uses any more. */
  readonly most: bigint;
  /** Due back from now until then. */
  readonly returned: bigint;
}

export interface EnergyOutlookView {
  /** What orders could take now. */
  readonly available: bigint;
  /** How many orders of one transaction that is: one wallet pays for each. */
  readonly transactions: bigint;
  readonly lent: bigint;
  /** In wallets that take no orders, of their state or for want of a key or a reading: nothing of it can be ordered. */
  readonly idle: bigint;
  /** Lent by the orders of the last hour. */
  readonly lentLastHour: bigint;
  /** The coming 24 hours, hour by hour, if nothing new were lent. */
  readonly points: readonly EnergyPoint[];
  /** Until nothing is left if as much is lent as in the last hour; null: not within the 24 hours. */
  readonly emptyInMs: number | null;
}

const NOTHING: EnergyOutlookView = {
  available: 0n,
  transactions: 0n,
  lent: 0n,
  idle: 0n,
  lentLastHour: 0n,
  points: [],
  emptyInMs: null,
};

/** Energy as an owner thinks of it: what can be sold now, what is out, what comes back, how long it lasts. */
@Injectable()
export class EnergyOutlook {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly capacity: Capacity,
    private readonly pool: PoolWallets,
    private readonly chooseWallet: ChooseWallet,
    private readonly forecast: PoolForecast,
    private readonly orders: OrderOverviewRepository,
  ) {}

  /** All active wallets together. Null while the chain's rate is not known. */
  async ofPool(): Promise<EnergyOutlookView | null> {
    const all = await this.read((wallet) => wallet.state === 'active');
    return all && [...all.values()].reduce((sum, one) => this.withEmptyIn(add(sum, one)), NOTHING);
  }

  /** By name, of every wallet that lends, whatever its state. Null while the chain's rate is not known. */
  ofWallets(): Promise<ReadonlyMap<string, EnergyOutlookView> | null> {
    return this.read(() => true);
  }

  private async read(isWanted: (wallet: WalletRow) => boolean): Promise<Map<string, EnergyOutlookView> | null> {
    const { rate } = this.capacity;
    if (!rate) return null;
    const [wallets, curves, lent] = await Promise.all([
      this.pool.list(),
      this.forecast.curves(),
      this.orders.lentLastHour(),
    ]);
    const { energyMarginPpm } = this.configuration.delegation;
    const wanted = wallets.filter((wallet) => wallet.role === 'delegate' && isWanted(wallet));
    return new Map(
      wanted.map((wallet) => [
        wallet.name,
        this.withEmptyIn(
          outlookOf(
            { wallet, lends: wallet.state === 'active' && this.chooseWallet.isUsable(wallet) },
            curves.get(wallet.id) ?? [],
            lent.get(wallet.id) ?? 0n,
            rate,
            energyMarginPpm,
          ),
        ),
      ]),
    );
  }

  private withEmptyIn(view: EnergyOutlookView): EnergyOutlookView {
    return { ...view, emptyInMs: emptyInMs(view, this.configuration.reclaim.delayMs) };
  }
}

function outlookOf(
  { wallet, lends }: { readonly wallet: WalletRow; readonly lends: boolean },
  curve: readonly CurvePoint[],
  lentLastHour: bigint,
  rate: EnergyRate,
  marginPpm: bigint,
): EnergyOutlookView {
  const energy = (sun: bigint) => energyOfStake(sun, rate);
  const lendable = lends ? lendableSun(wallet) : 0n;
  return {
    available: energy(lendable),
    transactions: largestEnergy(lendable, rate, marginPpm) / ENERGY_PER_TRANSACTION,
    lent: energy(curve.at(-1)?.lentSun ?? 0n),
    idle: lends ? 0n : energy(freeSun(wallet)),
    lentLastHour,
    points: curve.map(({ afterMs, leastSun, mostSun, returnedSun }) => ({
      afterMs,
      least: lends ? energy(leastSun) : 0n,
      most: lends ? energy(mostSun) : 0n,
      returned: energy(returnedSun),
    })),
    emptyInMs: null,
  };
}

function add(one: EnergyOutlookView, other: EnergyOutlookView): EnergyOutlookView {
  return {
    available: one.available + other.available,
    transactions: one.transactions + other.transactions,
    lent: one.lent + other.lent,
    idle: one.idle + other.idle,
    lentLastHour: one.lentLastHour + other.lentLastHour,
    points: other.points.map((point, index) => ({
      afterMs: point.afterMs,
      least: point.least + (one.points[index]?.least ?? 0n),
      most: point.most + (one.points[index]?.most ?? 0n),
      returned: point.returned + (one.points[index]?.returned ?? 0n),
    })),
    emptyInMs: null,
  };
}
