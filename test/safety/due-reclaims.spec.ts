import { utils } from 'tronweb';
import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { NodeProxy } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';
import { ServiceChild } from '../support/service-child';
import { until } from '../support/until';
import { ClaimLog } from './claim-log';

const FULL = 10_000;
/** More than one has in hand. */
const ORDERS = Math.max(20, countOf(FULL, 60));
const IS_SHORT = ORDERS < 1_000;
/** With every change three, of which one dies; ten processes are for a run of some length. */
const INSTANCES = countOf(10, 0) === 0 ? [3] : IS_SHORT ? [1, 3] : [1, 3, 10];
const BROADCAST = 'wallet/broadcasttransaction';
const DYING = 'dying';
/** So many a sweep signs and sends at once, of what it has claimed. */
const IN_HAND = 5;
/** In real time. */
const LEASE_MS = 30_000;
/** Beside the lease of one that dies right after it has claimed: a sweep of the others, and what a busy machine takes. */
const LATE_SECONDS = 5;
const HOUR_MS = 3_600_000;
const AT_ONCE = 20;
/** Enough for all of them at once. */
const STAKE_SUN = 100_000_000_000_000;

interface ChainTimes {
  readonly transactions: { readonly txID: string; readonly info: { readonly blockTimeStamp: number } }[];
}

interface Head {
  readonly block_header: { readonly raw_data: { readonly timestamp: number } };
}
const ENV = {
  DELEGATION_ANSWER: 'accepted',
  ANSWER_TIMEOUT: '30s',
  RECLAIM_DELAY: '1h',
  RECLAIM_SWEEP: '500ms',
  RECONCILE_EVERY: '24h',
};

describe('orders whose time has come', () => {
  let world: OrderWorld;
  let dying: ServiceChild | undefined;
  let proxy: NodeProxy | undefined;
  /** A moment before it was killed. */
  let diedAt = '';
  afterEach(async () => {
    await dying?.stop('SIGKILL');
    await proxy?.close();
    dying = proxy = undefined;
    await world?.close();
  });

  async function open(): Promise<void> {
    world = await OrderWorld.open({
      block: 300,
      backgroundWork: false,
      env: ENV,
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
    await untilSettled(world.app.sql);
  }

  /** From block to block as the chain has them: what the service holds for an order's hour may be wrong. */
  async function lent(): Promise<{ id: string; delegatedMs: number; reclaimedMs: number }[]> {
    const { transactions } = (await (await fetch(`${world.chain.url}/control/state`)).json()) as ChainTimes;
    const timeOf = new Map(transactions.map(({ txID, info }) => [txID, info.blockTimeStamp]));
    const rows = await world.query(
      `select d.subject_id as id, d.tx_id as delegation, r.tx_id as reclaim
         from chain_transactions d join chain_transactions r using (subject_id)
        where d.purpose = 'delegation' and r.purpose = 'reclaim' and r.state <> 'dead'`,
    );
    return rows.map(({ id, delegation, reclaim }) => ({
      id: String(id),
      delegatedMs: timeOf.get(String(delegation))!,
      reclaimedMs: timeOf.get(String(reclaim))!,
    }));
  }

  /** Dies while all that it has claimed is its own; no other instance claims until then. */
  async function claimAndDie(log: ClaimLog): Promise<Record<string, unknown>[]> {
    let sending = 0;
    proxy = new NodeProxy(world.chain.url);
    proxy.before = async ({ route }) => {
      if (route !== BROADCAST) return;
      sending += 1;
      await NodeProxy.HANG();
    };
    const databaseUrl = new URL(world.database.url);
    databaseUrl.searchParams.set('application_name', DYING);
    const nodeUrl = await proxy.open();
    dying = new ServiceChild({ ...ENV, TRON_FULL_NODE_URLS: nodeUrl, DATABASE_URL: databaseUrl.href });
    await dying.ready();
    await until('reclaims in hand', async () => sending >= IN_HAND);
    diedAt = await log.now();
    await dying.stop('SIGKILL');
    const held = await log.held();
    expect(held.filter(({ state }) => state === 'reclaiming')).toHaveLength(IN_HAND);
    expect(held.filter(({ state }) => state === 'delegated').length).toBeGreaterThan(0);
    return held;
  }

  async function dueTimes(): Promise<{ first: number; last: number }> {
    const [due] = await world.query(
      `select (extract(epoch from min(reclaim_due_at)) * 1000)::float as first,
              (extract(epoch from max(reclaim_due_at)) * 1000)::float as last from delegations`,
    );
    return due as { first: number; last: number };
  }

  async function headMs(): Promise<number> {
    const head = (await world.node('wallet/getblock', { detail: false })) as unknown as Head;
    return head.block_header.raw_data.timestamp;
  }

  it.each(INSTANCES)(
    'are each taken back once by %i instances, none before its hour and 99 of 100 within 30 s after, and what a dead one had claimed within its lease of 30 s and a sweep of the others',
    async (count) => {
      await open();
      const log = await ClaimLog.open(world, DYING);
      const first = await world.startProcess();
      await place(first);
      for (let others = 2; others < count; others++) await world.startProcess();
      const dies = count > 1;
      if (dies) await log.keepOthersOut();
      const due = await dueTimes();
      // Five seconds before the first of them is due.
      const before = due.first - (await headMs()) - 5_000;
      expect(before).toBeLessThan(HOUR_MS);
      await world.control('clock', { ms: before });
      let held: Record<string, unknown>[] = [];
      if (dies) {
        await until('all are due', async () => (await headMs()) > due.last);
        held = await claimAndDie(log);
        await log.letOthersIn();
      }
      const allBack = `select 1 from delegations having count(*) filter (where state = 'reclaimed') = ${ORDERS}`;
      await until('all are back', async () => (await world.query(allBack)).length > 0, timeFor(ORDERS, 300) + LEASE_MS);
      await untilSettled(world.app.sql);
      await expectChainTruth(world);

      const orders = await lent();
      expect(orders).toHaveLength(ORDERS);
      const lateOf = (some: typeof orders) =>
        some
          .map((order) => (order.reclaimedMs - order.delegatedMs - HOUR_MS) / 1000)
          .toSorted((one, other) => one - other);
      const least = lateOf(orders)[0]!;
      expect(least).toBeGreaterThanOrEqual(0);
      // What a dead one had claimed waits for its lease.
      const others = lateOf(orders.filter(({ id }) => !held.some((order) => order['id'] === id)));
      const p99 = others[Math.ceil(others.length * 0.99) - 1]!;
      if (!dies || IS_SHORT) expect(p99).toBeLessThanOrEqual(30);
      const seen = `first ${least.toFixed(1)} s and 99 % within ${p99.toFixed(1)} s after an hour on chain`;
      if (!dies) record(15, 'orders', ORDERS, FULL, seen);
      record(
        12,
        `due reclaims on ${count} instances`,
        ORDERS,
        FULL,
        `${count} instances: each once${await takenOver()}`,
      );

      async function takenOver(): Promise<string> {
        if (!dies) return '';
        const takeOvers = await log.takeOvers(held, diedAt);
        const afterLease = Math.max(...takeOvers.map(({ secondsAfterLease }) => secondsAfterLease ?? Infinity));
        const afterDeath = Math.max(...takeOvers.map(({ secondsAfterDeath }) => secondsAfterDeath ?? Infinity));
        expect(afterLease).toBeLessThanOrEqual(30);
        // What had its bytes saved goes out before; a claim was made before its claimant died, so its lease ends within 30 s of that.
        expect(afterDeath).toBeLessThanOrEqual(LEASE_MS / 1_000 + LATE_SECONDS);
        // What it had not signed yet: by no instance while its lease lasted.
        const unsigned = takeOvers.filter(({ state }) => state === 'delegated');
        const soonest = Math.min(...unsigned.map(({ secondsAfterLease }) => secondsAfterLease!));
        expect(soonest).toBeGreaterThanOrEqual(0);
        return `, ${held.length} claims of a killed one taken over within ${afterDeath.toFixed(1)} s of its death, ${Math.max(afterLease, 0).toFixed(1)} s of their lease`;
      }
    },
    timeFor(ORDERS, 1_000) + LEASE_MS,
  );
});
