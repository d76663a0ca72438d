import { Inject, Injectable } from '@nestjs/common';
import BigNumber from 'bignumber.js';
import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { percentOf } from '../../chain/pool/wallets/stake-split';
import { Clock } from '../../common/clock';
import { OrderReport, type Report } from '../reports/order-report';
import { type MomentRange, utcDaysOf } from '../reports/utc-days';
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
  readonly percent: number;
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

  /** Null where nothing was burned, for which no order is counted, or orders brought nothing. */
  async share(): Promise<BurnedShare | null> {
    const week = this.lastDays();
    const { burnedSun } = await this.repository.sum(utcDaysOf(week));
    if (burnedSun === 0n) return null;
    const broughtSun = this.broughtBy(await this.reports.read(week, false));
    const percent = percentOf(burnedSun, broughtSun);
    return percent === null ? null : { burnedSun, broughtSun, percent };
  }

  /** The list price of one transaction. */
  get listPriceSun(): bigint {
    return BigInt(this.pricing.exactFeeSun(new BigNumber(1), null).toFixed(0));
  }

  /** Quota was sold before, in no entry of the ledger: its energy counts at the price that balances paid for theirs, else at the list price. */
  private broughtBy({ total, payers }: Report): bigint {
    const energyOf = (payer: 'balance' | 'subscription') => payers.find(({ paidBy }) => paidBy === payer)?.energy ?? 0n;
    const paidSun = payers.find(({ paidBy }) => paidBy === 'balance')?.charged_sun ?? 0n;
    const [paid, ofQuota] = [energyOf('balance'), energyOf('subscription')];
    const quotaSun =
      paid > 0n && paidSun > 0n ? (ofQuota * paidSun) / paid : (ofQuota * this.listPriceSun) / ENERGY_PER_TRANSACTION;
    return total.charged_sun + quotaSun;
  }

  private lastDays(): MomentRange {
    const to = this.clock.now();
    const today = Math.floor(to.getTime() / DAY_MS) * DAY_MS;
    return { from: new Date(today - (DAYS - 1) * DAY_MS), to };
  }
}
