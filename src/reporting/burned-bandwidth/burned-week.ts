import { Inject, Injectable } from '@nestjs/common';
import BigNumber from 'bignumber.js';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { percentOf } from '../../chain/pool/wallets/stake-split';
import { Clock } from '../../common/clock';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
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

/** Quota with a price that was used in this time. */
const SOLD_QUOTA = statement<[from: Date, to: Date], { sun: bigint; energy: bigint }>(
  'burned_week_sold_quota',
  `select coalesce(sum(trunc(h.quota_energy::numeric * s.price_sun / s.quota_energy)), 0)::bigint as sun,
          coalesce(sum(h.quota_energy), 0)::bigint as energy
     from holds h cross join lateral (
            select q.price_sun, q.quota_energy from subscriptions q where q.id = h.subscription_id and q.price_sun is not null limit 1
          ) s
    where h.settled_at >= $1::timestamptz and h.settled_at < $2::timestamptz and h.state = 'taken'`,
);

/** What bandwidth took of a week's revenue. What was burned is the word of nodes. */
@Injectable()
export class BurnedWeeks {
  constructor(
    private readonly sql: Sql,
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
    return { from: week.from, elapsedMs, landed, energy, broughtSun: await this.broughtBy(report, week), burned };
  }

  /** Null where nothing was burned, for which no order is counted. */
  async share(): Promise<BurnedShare | null> {
    const week = this.lastDays();
    const { burnedSun } = await this.repository.sum(utcDaysOf(week));
    if (burnedSun === 0n) return null;
    const bringsSun = await this.broughtBy(await this.reports.read(week, false), week);
    return { burnedSun, broughtSun: bringsSun, percent: percentOf(burnedSun, bringsSun) };
  }

  /** The list price of one transaction. */
  get listPriceSun(): bigint {
    return BigInt(this.pricing.exactFeeSun(new BigNumber(1), null).toFixed(0));
  }

  private async broughtBy({ total, payers }: Report, { from, to }: MomentRange): Promise<bigint> {
    const energyOf = (payer: 'balance' | 'subscription') => payers.find(({ paidBy }) => paidBy === payer)?.energy ?? 0n;
    const sold = (await this.sql.row(SOLD_QUOTA, [from, to]))!;
    // The report goes by the time of the orders, and what is sold by their settling: near the edges of the week they differ.
    const unpriced = energyOf('subscription') - sold.energy;
    const charged = {
      chargedSun: total.charged_sun,
      paidEnergy: energyOf('balance'),
      quotaEnergy: unpriced > 0n ? unpriced : 0n,
      soldSun: sold.sun,
    };
    return broughtSun(charged, this.listPriceSun);
  }

  private lastDays(): MomentRange {
    const to = this.clock.now();
    const today = Math.floor(to.getTime() / DAY_MS) * DAY_MS;
    return { from: new Date(today - (DAYS - 1) * DAY_MS), to };
  }
}
