import type { Sql } from '../../src/database/sql';
import { record } from './bar';
import type { OrderWorld } from './order-world';
import { until } from './until';

interface OrderRow extends Record<string, unknown> {
  id: string;
  state: string;
  answer: string;
  hold: string;
  tx_id: string | null;
  tx_state: string | null;
}

const ORDERS = {
  name: 'test_orders',
  text: `select d.id, d.state, d.answer, h.state as hold, t.tx_id, t.state as tx_state
           from all_delegations d join all_holds h on h.delegation_id = d.id
           left join all_chain_transactions t on t.delegation_id = d.id and t.purpose = 'delegation'`,
};
const OPEN = {
  name: 'test_open',
  text: `select purpose, state, resend::text as resend, last_sent_at::text as last_sent_at, expiration_ms, block_number
           from chain_transactions where state in ('saved', 'sent', 'included')
         union all
         select 'order', state, answer, last_error, attempts, delegation_block
           from delegations where state in ('pending', 'activating', 'sent', 'included', 'taking_back') limit 50`,
};
const LENT = {
  name: 'test_lent',
  text: `select coalesce(sum(stake_sun), 0)::bigint as sun from delegations
          where state in ('delegated', 'reclaiming', 'taking_back')`,
};

interface ChainState {
  transactions: {
    txID: string;
    solid: boolean;
    transaction: { raw_data: { contract: { type: string }[] }; ret: { contractRet: string }[] };
  }[];
  delegations: { energy_sun: string }[];
}

/** Until nothing of any order is under way; 1-hour rentals stay lent. */
export async function untilSettled(sql: Sql, limitMs = 40_000): Promise<void> {
  let open: string[] = [];
  const areSettled = async () => {
    open = (await sql.rows<Record<string, unknown>>(OPEN)).map((row) => Object.values(row).join(' '));
    return open.length === 0;
  };
  await until(() => `every order settled, and not\n${open.join('\n')}`, areSettled, limitMs);
}

/**
 * Settled rows and the chain's own truth say the same: what was charged was lent once and in a solid block, what was lent
 * and not charged was taken back, and nothing else was ever lent.
 */
export async function expectChainTruth(
  world: OrderWorld,
  /** Txids of delegations that somebody else made, and took back. */
  ofOthers: readonly string[] = [],
): Promise<OrderRow[]> {
  const chain = (await (await fetch(`${world.chain.url}/control/state`)).json()) as ChainState;
  const sql = world.app.sql;
  const orders = await sql.rows<OrderRow>(ORDERS);
  const landed = new Set(
    chain.transactions
      .filter(
        ({ solid, transaction }) => solid && transaction.raw_data.contract[0]!.type === 'DelegateResourceContract',
      )
      .map(({ txID }) => txID),
  );
  for (const order of orders) {
    const isLent = order.tx_id !== null && landed.delete(order.tx_id);
    expect(order).toMatchObject({
      hold: isLent && order.answer !== 'failure' ? 'taken' : 'released',
      ...(order.tx_id && { tx_state: isLent ? 'final' : 'dead' }),
    });
    if (isLent && order.answer === 'failure') expect(order.state).toBe('taken_back');
    if (isLent && order.answer !== 'failure') expect(['delegated', 'reclaiming', 'reclaimed']).toContain(order.state);
    if (!isLent) expect(order.state).toBe('failed');
  }
  expect([...landed].filter((txId) => !ofOthers.includes(txId))).toEqual([]);
  const lentSun = chain.delegations.reduce((sum, { energy_sun }) => sum + BigInt(energy_sun), 0n);
  expect(lentSun).toBe((await sql.row<{ sun: bigint }>(LENT))!.sun);
  expect((await world.audit()).findings).toEqual([]);
  record(1, 'checks of all rows', 1, 1, '0 bad rows');
  return orders;
}
