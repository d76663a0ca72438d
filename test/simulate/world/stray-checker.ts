import type { Client } from 'pg';
import type { StakeMove } from './chain-truth';
import type { Plan } from './plan';

const CLOCK_FAR_OFF_MS = 120_000;

const FOUND = `
  select w.address || ' ' || f.receiver as pair from findings f join pool_wallets w on w.id = f.wallet_id
   where f.resolved_at is null and f.reason_code in ('delegation_foreign', 'delegation_double', 'returned_stake_lent')`;

/**
 * All orders are over, and the reconciler has run since: what is still out between a wallet and a receiver is somebody else's, has been
 * found, and the wallet is paused. While blocks cannot be read it need not get to its end.
 */
export async function checkStrays(database: Client, plan: Plan, moves: readonly StakeMove[]): Promise<string[]> {
  if (plan.actions.some(({ kind }) => kind === 'unreadable-blocks')) return [];
  const out = new Map<string, bigint>();
  for (const { does, from, to, sun } of moves) {
    const pair = `${from} ${to}`;
    out.set(pair, (out.get(pair) ?? 0n) + (does === 'delegate' ? sun : -sun));
  }
  const found = new Set((await database.query<{ pair: string }>(FOUND)).rows.map(({ pair }) => pair));
  // A start by two clocks that are ahead takes the database for one of before: stake of that time may be of orders whose rows are missing.
  const maySeemRestored =
    plan.clocksOffMs.some((offMs) => offMs > CLOCK_FAR_OFF_MS) &&
    plan.actions.some((action) => action.kind === 'database-clock' && action.offMs > CLOCK_FAR_OFF_MS);
  const { rows } = await database.query<{ address: string }>(`select address from pool_wallets where state = 'active'`);
  const active = new Set(rows.map(({ address }) => address));
  return [...out].flatMap(([pair, sun]) => {
    if (sun <= 0n) return [];
    const what = `${sun} sun of somebody else are out between ${pair}`;
    return [
      ...(found.has(pair) ? [] : [`${what}, and the reconciler did not find them`]),
      ...(!maySeemRestored && active.has(pair.split(' ')[0]!) ? [`${what}, and the wallet takes orders`] : []),
    ];
  });
}
