import { beginOf } from '../reports/order-day.sql';
import { CHARGED } from '../reports/spending.sql';

/** The columns of `wallet_days` that sum up charged orders. */
const EARNED = ['orders', 'charged_sun', 'paid_energy', 'quota_energy', 'sold_sun', 'lent_sun'] as const;
export const EARNED_LIST = EARNED.join(', ');
export const EARNED_SUMS = EARNED.map((sum) => `coalesce(sum(${sum}), 0)::bigint as ${sum}`).join(', ');

/**
 * A row at a time for the quota `s` that paid for an order `d`: a join would read all holds. What paid is asked inside: as the condition of the
 * join it would be asked after the hold of every order has been read.
 */
export const QUOTA_OF_ORDER = `left join lateral (
            select q.price_sun, q.quota_energy from holds h join subscriptions q on q.id = h.subscription_id
             where d.paid_by = 'subscription' and h.delegation_id = d.id limit 1) s on true`;

/** What charged orders `d` have brought, with their quota `s`. */
export const BROUGHT = `coalesce(sum(d.cost_sun) filter (where d.paid_by = 'balance'), 0)::bigint as charged_sun,
          coalesce(sum(d.energy) filter (where d.paid_by = 'balance'), 0)::bigint as paid_energy,
          coalesce(sum(d.energy) filter (where d.paid_by = 'subscription' and s.price_sun is null), 0)::bigint as quota_energy,
          coalesce(sum(trunc(d.energy::numeric * s.price_sun / s.quota_energy)) filter (where d.paid_by = 'subscription'), 0)::bigint as sold_sun`;

/** SQL: what the charged ones of the orders `d` have brought their wallets, each on its day. */
export const earnedOf = (day: string, from: string, where: string): string => `
      select ${day} as day, d.wallet_id, count(*) as orders, ${BROUGHT}, sum(d.stake_sun)::bigint as lent_sun
        ${from} ${QUOTA_OF_ORDER} where ${where} and ${CHARGED} group by 1, 2`;

/** SQL: what was ordered in each hour by the orders `d`. */
export const demandOf = (from: string, where: string): string => `
      select date_trunc('hour', d.created_at, 'UTC') as at, count(*) as orders, sum(d.energy)::bigint as energy ${from} where ${where} group by 1`;

/** SQL: what a wallet `p` has staked, as it was read last. */
export const STAKED = `(p.stake_sun + coalesce((
           select (v.newest ->> 'bandwidthSun')::bigint + (v.newest ->> 'lentBandwidthSun')::bigint from wallet_views v where v.wallet_id = p.id), 0))`;

/** SQL: writes a row for each wallet that lends on the day of `closed`, with what `earned` has for it. */
export const WRITE_EARNED = `stakes as (
      select closed.day, p.id as wallet_id, ${STAKED} as staked_sun from closed cross join pool_wallets p
       where p.role = 'delegate' and p.created_at < ${beginOf('closed.day + 1')}
         and (p.removed_at is null or p.removed_at > ${beginOf('closed.day')})
    ), wallets as (
      insert into wallet_days (day, wallet_id, staked_sun, ${EARNED_LIST})
      select day, wallet_id, coalesce(staked_sun, 0), ${EARNED.map((sum) => `coalesce(${sum}, 0)`).join(', ')}
        from stakes full join earned using (day, wallet_id)
    )`;

/** SQL: adds what late orders have brought. */
export const ADD_EARNED = `wallets as (
      insert into wallet_days as w (day, wallet_id, staked_sun, ${EARNED_LIST})
      select day, wallet_id, 0, ${EARNED_LIST} from earned order by day, wallet_id
      on conflict (day, wallet_id) do update set ${EARNED.map((sum) => `${sum} = w.${sum} + excluded.${sum}`).join(', ')}
    )`;

/** SQL: adds the rows of `demand` to their hours. */
export const ADD_DEMAND = `hours as (
      insert into demand_hours as h (at, orders, energy) select at, orders, energy from demand order by at
      on conflict (at) do update set orders = h.orders + excluded.orders, energy = h.energy + excluded.energy
    )`;
