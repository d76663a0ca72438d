import { utils } from 'tronweb';
import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';

const FULL = 10_000;
const ORDERS = countOf(FULL, 60);
const IS_SHORT = ORDERS < 1_000;
/** With every change three, of which one dies; ten processes are for a run of some length. */
const INSTANCES = countOf(10, 0) === 0 ? [3] : IS_SHORT ? [1, 3] : [1, 3, 10];
const HOUR_MS = 3_600_000;
const AT_ONCE = 50;
/** Enough for all of them at once. */
const STAKE_SUN = 100_000_000_000_000;

interface ChainTimes {
  readonly transactions: { readonly txID: string; readonly info: { readonly blockTimeStamp: number } }[];
}

describe('orders whose time has come', () => {
  let world: OrderWorld;
  afterEach(() => world?.close());

  async function open(): Promise<void> {
    world = await OrderWorld.open({
      block: 300,
      backgroundWork: false,
      env: { DELEGATION_ANSWER: 'accepted', ANSWER_TIMEOUT: '30s', RECLAIM_DELAY: '1h', RECONCILE_EVERY: '24h' },
    });
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: STAKE_SUN });
    await world.addKey('large', address.base58, 'delegate', privateKey.replace(/^0x/i, '').toLowerCase());
    await world.control('block', { count: 6 });
  }

  async function place(instance: ServiceChild): Promise<void> {
    let placed = 0;
    const worker = async () => {
      const caller = await world.caller({ balance: 100_000 });
      const receiver = await world.receiver();
      while (placed++ < ORDERS) {
        const body = { receiver_address: receiver, amount: 1 };
        expect((await world.delegate(caller, body, {}, instance)).status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, ORDERS) }, worker));
    await untilSettled(world.app.sql, 120_000);
  }

  /** From block to block as the chain has them: what the service holds for an order's hour may be wrong. */
  async function lent(): Promise<{ id: string; delegatedMs: number; reclaimedMs: number }[]> {
    const { transactions } = (await (await fetch(`${world.chain.url}/control/state`)).json()) as ChainTimes;
    const timeOf = new Map(transactions.map(({ txID, info }) => [txID, info.blockTimeStamp]));
    const rows = await world.query(
      `select d.delegation_id as id, d.tx_id as delegation, r.tx_id as reclaim
         from chain_transactions d join chain_transactions r using (delegation_id)
        where d.purpose = 'delegation' and r.purpose = 'reclaim' and r.state <> 'dead'`,
    );
    return rows.map(({ id, delegation, reclaim }) => ({
      id: String(id),
      delegatedMs: timeOf.get(String(delegation))!,
      reclaimedMs: timeOf.get(String(reclaim))!,
    }));
  }

  it.each(INSTANCES)(
    'are each taken back once by %i instances, none before its hour and 99 of 100 within 30 s after, also when one dies',
    async (count) => {
      await open();
      const first = await world.startProcess();
      await place(first);
      const others: ServiceChild[] = [];
      while (others.length < count - 1) others.push(await world.startProcess());
      const [{ ms }] = (await world.query(
        `select (extract(epoch from min(reclaim_due_at)) * 1000)::bigint as ms from delegations`,
      )) as [{ ms: bigint }];
      // Five seconds before the first of them is due.
      const head = (await world.node('wallet/getblock', { detail: false })) as {
        block_header: { raw_data: { timestamp: number } };
      };
      const before = Number(ms) - head.block_header.raw_data.timestamp - 5_000;
      expect(before).toBeLessThan(HOUR_MS);
      await world.control('clock', { ms: before });
      const isDone = (state: string) =>
        `select 1 from delegations having count(*) filter (where state = '${state}') = ${ORDERS}`;
      const dying = others.pop();
      if (dying) {
        await until(
          'some are claimed',
          async () => {
            return (
              (await world.query(`select 1 from delegations where state in ('reclaiming', 'reclaimed')`)).length > 0
            );
          },
          120_000,
        );
        await dying.stop('SIGKILL');
      }
      await until(
        'all are back',
        async () => {
          // A lease that nobody holds any more: 30 s of real time where there is time for that.
          if (IS_SHORT)
            await world.query(
              `update delegations set claimed_until = null where claimed_until is not null and state = 'delegated' returning 1`,
            );
          return (await world.query(isDone('reclaimed'))).length > 0;
        },
        timeFor(ORDERS, 300),
      );
      await untilSettled(world.app.sql, 120_000);
      await expectChainTruth(world);
      const late = (await lent()).map((order) => (order.reclaimedMs - order.delegatedMs - HOUR_MS) / 1000);
      late.sort((one, other) => one - other);
      const [least, p99] = [late[0]!, late[Math.ceil(late.length * 0.99) - 1]!];
      expect(late).toHaveLength(ORDERS);
      expect(least).toBeGreaterThanOrEqual(0);
      if (!dying || IS_SHORT) expect(p99).toBeLessThanOrEqual(30);
      const seen = `first ${least.toFixed(1)} s and 99 % within ${p99.toFixed(1)} s after an hour on chain`;
      record(
        12,
        `due reclaims on ${count} instances`,
        ORDERS,
        FULL,
        `${count} instances${dying ? ', one killed' : ''}: each once`,
      );
      if (!dying) record(15, 'orders', ORDERS, FULL, seen);
    },
    timeFor(ORDERS, 1_000),
  );
});
