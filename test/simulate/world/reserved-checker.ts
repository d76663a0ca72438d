import type { Client } from 'pg';

/** A reading counts with the promises that had been committed by then. */
const TOO_MUCH = `
  select w.name, w.reserved_sun, promised.sun from pool_wallets w,
    lateral (select coalesce(sum(d.stake_sun), 0) as sun from delegations d
              where d.wallet_id = w.id
                and (d.state in ('pending', 'activating', 'sent', 'included') or d.delegation_block > w.observed_block
                     or (select max(e.at) from delegation_events e where e.delegation_id = d.id)
                        > w.observed_at - interval '30 seconds')) orders,
    lateral (select orders.sun + coalesce(sum(u.amount_sun), 0) as sun from stake_operations u
              where u.wallet_id = w.id and u.kind = 'unfreeze' and u.resource = 'energy'
                and (u.state <> 'final' or u.block_number > w.observed_block)) promised
   where w.role = 'delegate' and w.reserved_sun > promised.sun`;

/** At most what open orders have, what the last reading does not show, and what has ended since: the rest is free for others. */
export async function checkReserved(database: Client): Promise<string[]> {
  const { rows } = await database.query<{ name: string; reserved_sun: string; sun: string }>(TOO_MUCH);
  return rows.map(
    ({ name, reserved_sun: reserved, sun }) => `${name} has reserved ${reserved} sun, of which ${sun} are promised`,
  );
}
