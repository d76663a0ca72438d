import type { Statement } from '../../database/sql';

/** Every order that is not over, and of those that are the last day's: a table of millions is not counted for a graph. */
export const ORDERS: Statement = {
  name: 'metrics_orders',
  text: `select state, answer, count(*)::integer as orders from delegations
          where state in ('pending', 'activating', 'sent', 'included', 'delegated', 'reclaiming', 'taking_back')
             or created_at > now() - interval '24 hours'
          group by state, answer`,
};

export const HOLDS: Statement = {
  name: 'metrics_holds',
  text: `select count(*)::float8 as holds, coalesce(sum(amount_sun), 0)::float8 as sun,
                coalesce(sum(quota_energy), 0)::float8 as energy,
                coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_seconds
           from holds where state = 'held'`,
};

/** By the database's clock; block time, which decides, differs by seconds. */
export const LENT: Statement = {
  name: 'metrics_lent',
  text: `select coalesce(sum(d.energy), 0)::float8 as energy, coalesce(sum(d.stake_sun), 0)::float8 as stake_sun,
                coalesce(sum(d.energy) filter (where d.reclaim_due_at <= now()), 0)::float8 as due_energy,
                count(*) filter (where d.reclaim_due_at <= now())::float8 as due,
                coalesce(extract(epoch from now() - min(d.reclaim_due_at)
                  filter (where d.reclaim_due_at <= now() and not exists (
                    select from chain_transactions t
                     where t.delegation_id = d.id and t.purpose = 'reclaim' and t.state <> 'dead'))), 0)::float8 as lag_seconds
           from delegations d where d.state in ('delegated', 'reclaiming', 'taking_back')`,
};

export const FINDINGS: Statement = {
  name: 'metrics_findings',
  text: `select kind, count(*)::integer as findings from findings where resolved_at is null group by kind`,
};

export const PAUSED: Statement = {
  name: 'metrics_orders_paused',
  text: `select exists (select from order_switch where paused_at is not null) as paused`,
};
