import { Injectable } from '@nestjs/common';
import { percentOf } from '../../chain/pool/wallets/stake-split';
import { Clock } from '../../common/clock';
import { OrderReport } from '../reports/order-report';
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
  readonly chargedSun: bigint;
  readonly burned: Burned;
}

export interface BurnedShare {
  readonly burnedSun: bigint;
  readonly chargedSun: bigint;
  readonly percent: number;
}

/** What bandwidth took of a week's revenue. What was burned is the word of nodes. */
@Injectable()
export class BurnedWeeks {
  constructor(
    private readonly reports: OrderReport,
    private readonly repository: BurnedBandwidthRepository,
    private readonly clock: Clock,
  ) {}

  async last(): Promise<BurnedWeek> {
    const week = this.lastDays();
    const [{ total }, burned] = await Promise.all([
      this.reports.read(week, false),
      this.repository.sum(utcDaysOf(week)),
    ]);
    const { landed, energy, charged_sun: chargedSun } = total;
    return { from: week.from, elapsedMs: week.to.getTime() - week.from.getTime(), landed, energy, chargedSun, burned };
  }

  /** Null where nothing was burned or charged: then no order is counted. */
  async share(): Promise<BurnedShare | null> {
    const week = this.lastDays();
    const { burnedSun } = await this.repository.sum(utcDaysOf(week));
    if (burnedSun === 0n) return null;
    const { charged_sun: chargedSun } = (await this.reports.read(week, false)).total;
    const percent = percentOf(burnedSun, chargedSun);
    return percent === null ? null : { burnedSun, chargedSun, percent };
  }

  private lastDays(): MomentRange {
    const to = this.clock.now();
    const today = Math.floor(to.getTime() / DAY_MS) * DAY_MS;
    return { from: new Date(today - (DAYS - 1) * DAY_MS), to };
  }
}
