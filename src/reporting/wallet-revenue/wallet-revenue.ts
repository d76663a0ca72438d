import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { BurnedWeeks } from '../burned-bandwidth/burned-week';
import { BROUGHT, QUOTA_OF_ORDER } from '../earnings/wallet-day.sql';
import { CHARGED } from '../reports/spending.sql';
import { broughtSun } from './brought-sun';

const DAY_MS = 86_400_000;
/** What was earned is shown, and a yield reckoned, of so many days. */
export const EARNED_DAYS = 30;

/** What a wallet's orders brought on a UTC day, by the time of the blocks that lent them. */
export interface RevenueDay {
  readonly day: string;
  readonly broughtSun: bigint;
}

export interface Revenue {
  readonly days: readonly RevenueDay[];
  readonly sun: bigint;
  /** From the first of these orders, so many days ago at most, until now. */
  readonly elapsedMs: number;
}

interface DayRow {
  readonly day: string;
  readonly charged_sun: bigint;
  readonly paid_energy: bigint;
  readonly quota_energy: bigint;
  readonly sold_sun: bigint;
  readonly first_ms: bigint;
}

/** The newest row from before the time leads to the rows: only block numbers have an index. */
const BY_DAY = statement<[walletId: string, fromMs: number], DayRow>(
  'wallet_revenue_by_day',
  `select (d.delegated_at at time zone 'utc')::date::text as day, ${BROUGHT},
          (extract(epoch from min(d.delegated_at)) * 1000)::bigint as first_ms
     from delegations d ${QUOTA_OF_ORDER}
    where d.wallet_id = $1 and d.delegation_block >= coalesce((
            select p.delegation_block from delegations p
             where p.wallet_id = $1 and p.delegation_block is not null and p.delegated_at < to_timestamp($2::bigint / 1000.0)
             order by p.delegation_block desc limit 1), 0)
      and d.delegated_at >= to_timestamp($2::bigint / 1000.0) and ${CHARGED}
    group by 1 order by 1 desc`,
);

/** What orders bring to each wallet that lends for them. */
@Injectable()
export class WalletRevenue {
  constructor(
    private readonly sql: Sql,
    private readonly weeks: BurnedWeeks,
  ) {}

  /** The last thirty days before this block time. */
  async read(walletId: string, atMs: number): Promise<Revenue> {
    const fromMs = atMs - EARNED_DAYS * DAY_MS;
    const rows = await this.sql.rows(BY_DAY, [walletId, fromMs]);
    const days = rows.map((row) => {
      const { charged_sun: chargedSun, paid_energy: paidEnergy, quota_energy: quotaEnergy, sold_sun: soldSun } = row;
      const charged = { chargedSun, paidEnergy, quotaEnergy, soldSun };
      return { day: row.day, broughtSun: broughtSun(charged, this.weeks.listPriceSun) };
    });
    const firstMs = Number(rows.at(-1)?.first_ms ?? atMs);
    return { days, sun: days.reduce((sum, day) => sum + day.broughtSun, 0n), elapsedMs: Math.max(0, atMs - firstMs) };
  }
}
