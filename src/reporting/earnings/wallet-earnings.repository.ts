import { Injectable } from '@nestjs/common';
import type { WalletState } from '../../chain/pool/wallets/pool-wallet.entity';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import type { Days } from '../refusals/refused-attempt.repository';
import { beginOf } from '../reports/order-day.sql';
import type { ChargedEnergy } from '../wallet-revenue/brought-sun';
import { COUNTED_DAYS, SINGLE_ORDERS } from './counted-days.sql';
import { EARNED_LIST, EARNED_SUMS, earnedOf, STAKED } from './wallet-day.sql';

export interface WalletEarnings extends ChargedEnergy {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  /** Null: it was removed. */
  readonly state: WalletState | null;
  /** Each day's stake, summed up over the days: sun for a day. */
  readonly stakedSunDays: bigint;
  /** How long the wallet was in the pool. */
  readonly heldMs: bigint;
  /** Those that were charged. */
  readonly orders: bigint;
  /** Stake whose energy they took. A stake gives its energy once in a day. */
  readonly lentSun: bigint;
}

/** What a day has of a wallet's time in the pool, in milliseconds. */
const MS = `extract(epoch from least(now(), w.removed_at, ${beginOf('day + 1')}) - greatest(w.created_at, ${beginOf('day')})) * 1000`;

/** A day that was closed before the wallet's stake was noted counts with the present stake, as the days do that are not closed yet. */
const READ = statement<[from: string, to: string], WalletEarnings>(
  'wallet_earnings',
  `with ${COUNTED_DAYS}, each as (
      select wallet_id, ${EARNED_LIST} from wallet_days
       where day >= (select first from bounds) and day < (select open from bounds)
      ${SINGLE_ORDERS.map((where) => `union all select wallet_id, ${EARNED_LIST} from (${earnedOf('null::date', 'from delegations d', where)}) o`).join('\n      ')}
    ), earned as (
      select wallet_id, ${EARNED_SUMS} from each group by wallet_id
    ), lending as materialized (
      select p.id, p.name, p.address, p.state, p.created_at, p.removed_at, ${STAKED} as staked_sun from pool_wallets p where p.role = 'delegate'
    ), held as (
      select w.id, day::date as day, w.staked_sun, ${MS.replaceAll('day', 'day::date')} as ms
        from lending w cross join lateral generate_series(
               greatest($1::date, (w.created_at at time zone 'utc')::date)::timestamp,
               least($2::date - 1, (least(now(), w.removed_at) at time zone 'utc')::date)::timestamp, interval '1 day') day
    ), staked as (
      select h.id, trunc(sum(coalesce(s.staked_sun, h.staked_sun) * h.ms / 86400000))::bigint as sun_days, sum(h.ms)::bigint as ms
        from held h left join wallet_days s on s.day = h.day and s.wallet_id = h.id group by h.id
    )
    select w.id, w.name, w.address, case when w.removed_at is null then w.state end as state, coalesce(s.sun_days, 0) as "stakedSunDays",
           coalesce(s.ms, 0) as "heldMs", coalesce(e.orders, 0) as orders, coalesce(e.charged_sun, 0) as "chargedSun",
           coalesce(e.paid_energy, 0) as "paidEnergy", coalesce(e.quota_energy, 0) as "quotaEnergy", coalesce(e.sold_sun, 0) as "soldSun",
           coalesce(e.lent_sun, 0) as "lentSun"
      from lending w left join staked s on s.id = w.id left join earned e on e.wallet_id = w.id
     where w.removed_at is null or s.ms > 0 or e.orders > 0
     order by w.created_at, w.name`,
);

/** What each wallet that lends had staked and brought on UTC days. */
@Injectable()
export class WalletEarningsRepository {
  constructor(private readonly sql: Sql) {}

  read({ from, to }: Days): Promise<WalletEarnings[]> {
    return this.sql.rows(READ, [from, to]);
  }
}
