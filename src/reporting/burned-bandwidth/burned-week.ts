import { Inject, Injectable } from '@nestjs/common';
import BigNumber from 'bignumber.js';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { percentOf } from '../../chain/pool/wallets/stake-split';
import { Clock } from '../../common/clock';
import { OrderReport, type Report } from '../reports/order-report';
import { type MomentRange, utcDaysOf } from '../reports/utc-days';
import { broughtSun } from '../wallet-revenue/brought-sun';
import { type Burned, BurnedBandwidthRepository } from './burned-bandwidth.repository';

const DAY_MS = 86_400_000;
const DAYS = 7;

/** Seven UTC days with the present one, because burned fees are summed by the UTC day. */
export interface BurnedWeek {
  readonly from: Date;
  readonly elapsedMs: number;
  /** Delegations that are on the chain. */
  readonly landed: bigint;
  readonly energy: bigint;
  readonly broughtSun: bigint;
  readonly burned: Burned;
}

export interface BurnedShare {
  readonly burnedSun: bigint;
  readonly broughtSun: bigint;
  /** Null: of nothing. */
  readonly percent: number | null;
}

/** What bandwidth took of a week's revenue. What was burned is the word of nodes. */
@Injectable()
export class BurnedWeeks {
  constructor(
    private readonly reports: OrderReport,
    private readonly repository: BurnedBandwidthRepository,
    private readonly clock: Clock,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  async last(): Promise<BurnedWeek> {
    const week = this.lastDays();
    const [report, burned] = await Promise.all([this.reports.read(week, false), this.repository.sum(utcDaysOf(week))]);
    const { landed, energy } = report.total;
    const elapsedMs = week.to.getTime() - week.from.getTime();
    return { from: week.from, elapsedMs, landed, energy, broughtSun: this.broughtBy(report), burned };
  }

  /** Null where nothing was burned, for which no order is counted. */
  async share(): Promise<BurnedShare | null> {
    const week = this.lastDays();
    const { burnedSun } = await this.repository.sum(utcDaysOf(week));
    if (burnedSun === 0n) return null;
    const bringsSun = this.broughtBy(await this.reports.read(week, false));
    return { burnedSun, broughtSun: bringsSun, percent: percentOf(burnedSun, bringsSun) };
  }

  /** The list price of one transaction. */
  get listPriceSun(): bigint {
    return BigInt(this.pricing.exactFeeSun(new BigNumber(1), null).toFixed(0));
  }

  private broughtBy({ total, payers }: Report): bigint {
    const energyOf = (payer: 'balance' | 'subscription') => payers.find(({ paidBy }) => paidBy === payer)?.energy ?? 0n;
    const [paidEnergy, quotaEnergy] = [energyOf('balance'), energyOf('subscription')];
    return broughtSun({ chargedSun: total.charged_sun, paidEnergy, quotaEnergy }, this.listPriceSun);
  }

  private lastDays(): MomentRange {
    const to = this.clock.now();
    const today = Math.floor(to.getTime() / DAY_MS) * DAY_MS;
    return { from: new Date(today - (DAYS - 1) * DAY_MS), to };
  }
}
