import type { Sql } from '../../src/database/sql';
import { record } from './bar';
import { readChain } from './chain-record';
import { chargeFaults } from './charge-truth';
import type { OrderWorld } from './order-world';
import { type OrderRow, type SignedRow, stakeFaults } from './stake-truth';
import { until } from './until';

const ORDERS = {
  name: 'test_orders',
  text: `select d.id, d.state, d.answer, h.state as hold, t.tx_id, t.state as tx_state, w.address as wallet, d.receiver, d.stake_sun,
                d.shortage_sun
           from delegations d left join holds h on h.delegation_id = d.id left join pool_wallets w on w.id = d.wallet_id
           left join chain_transactions t on t.subject_id = d.id and t.purpose = 'delegation'`,
};
const SIGNED = {
  name: 'test_signed',
  text: `select tx_id, purpose, subject_id, state from chain_transactions where purpose in ('delegation', 'reclaim')`,
};
const OPEN = {
  name: 'test_open',
  text: `select purpose, state, resend::text as resend, last_sent_at::text as last_sent_at, expiration_ms, block_number
           from chain_transactions where state in ('saved', 'sent', 'included')
         union all
         select 'order', state, answer, last_error, attempts, delegation_block
           from delegations where state in ('pending', 'activating', 'sent', 'included', 'taking_back') limit 50`,
};
/** Until nothing of any order is under way; 1-hour rentals stay lent. */
export async function untilSettled(sql: Sql, limitMs?: number): Promise<void> {
  let open: string[] = [];
  const areSettled = async () => {
    open = (await sql.rows<Record<string, unknown>>(OPEN)).map((row) => Object.values(row).join(' '));
    return open.length === 0;
  };
  await until(() => `every order settled, and not\n${open.join('\n')}`, areSettled, limitMs);
}

/** How many are shown of what is wrong. */
const SHOWN = 20;

/**
 * Settled rows and the chain's own record say the same: what was charged was lent once and in a solid block, by its own wallet, to its
 * own receiver, of its own stake; what was lent and not charged was taken back; nothing else was ever lent, taken back or charged.
 */
export async function expectChainTruth(
  world: OrderWorld,
  /** Txids of delegations that somebody else made, and took back, and of orders' stake that somebody else took. */
  ofOthers: readonly string[] = [],
): Promise<OrderRow[]> {
  const sql = world.app.sql;
  const read = async () => ({
    chain: await readChain(world),
    orders: await sql.rows<OrderRow>(ORDERS),
    signed: await sql.rows<SignedRow>(SIGNED),
  });
  let found = await read();
  // A rental of a second may be taken back between the two readings: its transaction is in the rows, and not yet in the chain.
  for (let again = 0; again < 10 && found.signed.some(({ state }) => state === 'saved'); again++) {
    await untilSettled(sql);
    found = await read();
  }
  const { chain, orders, signed } = found;
  expect(stakeFaults(orders, signed, chain, ofOthers).slice(0, SHOWN)).toEqual([]);
  expect((await chargeFaults(sql)).slice(0, SHOWN)).toEqual([]);
  const { findings } = await world.audit();
  // Where a test has given a key a permission of its own.
  expect(findings.filter(({ parameters }) => parameters['act'] !== 'permission_change')).toEqual([]);
  record(1, 'checks of all rows', 1, 1, '0 bad rows');
  return orders;
}
