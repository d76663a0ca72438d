import type { Sql } from '../../src/database/sql';

interface PaidRow extends Record<string, unknown> {
  id: string;
  user_id: string;
  cost_sun: bigint;
  energy: bigint;
  paid_by: string;
  hold: string | null;
  payer: string;
  amount_sun: bigint;
  subscription_id: string | null;
  quota_energy: bigint;
}

interface EntryRow extends Record<string, unknown> {
  id: bigint;
  delegation_id: string | null;
  user_id: string;
  kind: string;
  amount_sun: bigint;
}

const PAID = {
  name: 'test_paid',
  text: `select d.id, d.user_id, d.cost_sun, d.energy, d.paid_by, h.state as hold, h.user_id as payer, h.amount_sun, h.subscription_id,
                h.quota_energy
           from delegations d left join holds h on h.delegation_id = d.id`,
};
const OWN_ENTRIES = {
  name: 'test_own_entries',
  text: `select id, delegation_id, user_id, kind, amount_sun from ledger_entries where kind = 'charge' or delegation_id is not null`,
};
const QUOTAS = {
  name: 'test_quotas',
  text: `select s.id, s.used_energy, s.held_energy, coalesce(sum(h.quota_energy) filter (where h.state = 'taken'), 0)::bigint as taken,
                coalesce(sum(h.quota_energy) filter (where h.state = 'held'), 0)::bigint as held
           from subscriptions s left join holds h on h.subscription_id = s.id group by s.id`,
};

/** Faults between orders and the money and quota that they took: one entry of the hold's amount for one that was charged, and none else. */
export async function chargeFaults(sql: Sql): Promise<string[]> {
  const [paid, entries, quotas] = await Promise.all([
    sql.rows<PaidRow>(PAID),
    sql.rows<EntryRow>(OWN_ENTRIES),
    sql.rows<Record<'id' | 'used_energy' | 'held_energy' | 'taken' | 'held', bigint>>(QUOTAS),
  ]);
  const entriesOf = Map.groupBy(entries, ({ delegation_id: id }) => id);
  const faults = paid.flatMap((order) => {
    const own = entriesOf.get(order.id) ?? [];
    entriesOf.delete(order.id);
    return [...priceFaults(order), ...entryFaults(order, own)];
  });
  for (const { id } of [...entriesOf.values()].flat()) faults.push(`entry ${id} of the ledger charges for no order`);
  for (const { id, used_energy: used, held_energy: held, ...holds } of quotas)
    if (used !== holds.taken || held !== holds.held)
      faults.push(`quota ${id} has ${used} used and ${held} held, its orders ${holds.taken} and ${holds.held}`);
  return faults;
}

/** An order costs what is held for it; a quota pays all of its energy or none. */
function priceFaults(order: PaidRow): string[] {
  if (order.hold === null) return [`order ${order.id} has no hold`];
  const byQuota = order.paid_by === 'subscription';
  const isAsHeld =
    order.payer === order.user_id &&
    order.amount_sun === order.cost_sun &&
    (order.subscription_id !== null) === byQuota &&
    order.quota_energy === (byQuota ? order.energy : 0n);
  return isAsHeld
    ? []
    : [
        `order ${order.id} costs ${order.cost_sun} by ${order.paid_by}, held are ${order.amount_sun} sun and ${order.quota_energy} energy`,
      ];
}

function entryFaults(order: PaidRow, own: readonly EntryRow[]): string[] {
  const owed =
    order.hold === 'taken' && order.amount_sun > 0n ? [`charge of ${order.amount_sun} to ${order.user_id}`] : [];
  const seen = own.map(({ kind, amount_sun: sun, user_id: user }) => `${kind} of ${-sun} to ${user}`);
  return seen.join(', ') === owed.join(', ')
    ? []
    : [
        `order ${order.id}, whose hold is ${order.hold}, has in the ledger: ${seen.join(', ') || 'nothing'}; instead of: ${owed.join('') || 'nothing'}`,
      ];
}
