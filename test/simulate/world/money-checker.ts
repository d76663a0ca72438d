import type { Client } from 'pg';

/** Each finds what must not be, with its name. */
const CHECKS: Readonly<Record<string, string>> = {
  'an account is not the sum of its entries': `
    select a.user_id::text as what from accounts a
     where a.balance_sun <> (select coalesce(sum(e.amount_sun), 0) from ledger_entries e where e.user_id = a.user_id)`,
  'an entry is not its predecessor and its own amount': `
    select id::text as what from (select id, balance_sun, amount_sun,
        lag(balance_sun, 1, 0::bigint) over (partition by user_id order by id) as before from ledger_entries) e
     where balance_sun <> before + amount_sun`,
  'an account holds what no order holds': `
    select a.user_id::text as what from accounts a
     where a.held_sun <> (select coalesce(sum(h.amount_sun), 0) from holds h where h.user_id = a.user_id and h.state = 'held')`,
  'an account is negative': `
    select user_id::text as what from accounts where balance_sun < 0 or held_sun < 0 or held_sun > balance_sun`,
  'a quota is not what its holds say': `
    select s.id::text as what from subscriptions s
     where s.used_energy <> (select coalesce(sum(h.quota_energy), 0) from holds h where h.subscription_id = s.id and h.state = 'taken')
        or s.held_energy <> (select coalesce(sum(h.quota_energy), 0) from holds h where h.subscription_id = s.id and h.state = 'held')
        or s.used_energy + s.held_energy > s.quota_energy`,
  'a quota and money were both taken': `
    select delegation_id::text as what from holds where subscription_id is not null and quota_energy > 0 and amount_sun > 3000000`,
  'a token day is above its limit, or not what its orders cost': `
    select d.id::text as what from token_days d join api_tokens t on t.id = d.token_id
     where d.used_sun > t.daily_limit_sun
        or d.used_sun <> (select coalesce(sum(h.counted_sun), 0) from holds h where h.token_day_id = d.id and h.state <> 'released')`,
  'an order costs what its hold does not': `
    select d.id::text as what from delegations d join holds h on h.delegation_id = d.id
     where h.subscription_id is null and h.amount_sun <> d.cost_sun`,
  'an order has no hold': `
    select d.id::text as what from delegations d where not exists (select from holds h where h.delegation_id = d.id)`,
  'a hold has no order': `
    select h.delegation_id::text as what from holds h where not exists (select from delegations d where d.id = h.delegation_id)`,
};

export async function checkMoney(database: Client): Promise<string[]> {
  const found: string[] = [];
  for (const [name, text] of Object.entries(CHECKS)) {
    const { rows } = await database.query<{ what: string }>(text);
    found.push(...rows.map(({ what }) => `${name}: ${what}`));
  }
  return found;
}
