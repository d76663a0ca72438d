import { ReservationRepository } from '../../src/chain/pool/wallets/reservation.repository';
import { OPEN_STATES, type OrderState } from '../../src/common/order.states';
import type { OrderWorld } from '../support/order-world';

interface ChainState {
  readonly head: { readonly timestamp: number };
  readonly transactions: readonly { readonly txID: string; readonly blockNumber: number }[];
}

/** One statement, so that orders and wallets are of one moment. */
const RESERVED = `
  select t.tx_id, t.expiration_ms, d.state, d.stake_sun, w.id as wallet, w.reserved_sun, w.observed_block
    from delegations d join chain_transactions t on t.subject_id = d.id and t.purpose = 'delegation'
    join pool_wallets w on w.id = d.wallet_id`;

/**
 * While its bytes could land, an order is open, refused or not; and its wallet keeps its stake until a reading shows the delegation. How
 * many could still land.
 */
export async function expectStakeReserved(world: OrderWorld): Promise<number> {
  // As the row is: counting first would put a forgotten reservation right.
  await expectKept(world);
  await count(world);
  return expectKept(world);
}

/**
 * Read before the chain: an order that could still land by the chain, or is in a block that the wallet's reading does not show, was
 * counted by whatever counted last, for that was with this reading or before the order added its own stake.
 */
async function expectKept(world: OrderWorld): Promise<number> {
  const orders = await world.query(RESERVED);
  const { head, transactions } = (await (await fetch(`${world.chain.url}/control/state`)).json()) as ChainState;
  const blocks = new Map(transactions.map(({ txID, blockNumber }) => [txID, blockNumber]));
  const blockOf = (order: Record<string, unknown>) => blocks.get(String(order['tx_id']));
  const couldLand = orders.filter(
    (order) => blockOf(order) === undefined && Number(order['expiration_ms']) > head.timestamp,
  );
  expect(couldLand.filter(({ state }) => !OPEN_STATES.includes(state as OrderState))).toEqual([]);
  const promised = orders.filter(
    (order) => couldLand.includes(order) || (blockOf(order) ?? 0) > Number(order['observed_block']),
  );
  const sums = new Map<unknown, bigint>();
  for (const { wallet, stake_sun: sun } of promised) sums.set(wallet, (sums.get(wallet) ?? 0n) + (sun as bigint));
  for (const { wallet, reserved_sun: reserved } of promised)
    expect(reserved as bigint).toBeGreaterThanOrEqual(sums.get(wallet)!);
  return couldLand.length;
}

/** As with each reading of a wallet: what is not reserved any more is free from here on. */
async function count(world: OrderWorld): Promise<void> {
  const reservations = world.app.app.get(ReservationRepository);
  for (const { id } of await world.query(`select id from pool_wallets where role = 'delegate'`))
    await world.app.sql.transaction(async (tx) => {
      await reservations.lock(tx, String(id));
      await reservations.count(tx, String(id));
    });
}
