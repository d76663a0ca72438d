import { expectChainTruth } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import type { ServiceChild } from '../../support/service-child';
import { until } from '../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
const LENT = 100;
/** On a slow machine more than these have no connection of the database in time. */
const AT_ONCE = 20;
const AWAY_MS = 30 * 60_000;
const BACKLOG_MS = 5 * 60_000;

describe('a node that is away for 30 minutes', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let instance: ServiceChild;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      backgroundWork: false,
      env: { RECLAIM_DELAY: '10m' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    instance = await world.startProcess();
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  async function place(key: string): Promise<Answer> {
    const body = { receiver_address: await world.receiver(), amount: 1 };
    return world.delegate(caller, body, { 'idempotency-key': key }, instance);
  }
  async function chainTimeMs(): Promise<number> {
    const { block_header: header } = (await world.node('wallet/getnowblock')) as {
      block_header: { raw_data: { timestamp: number } };
    };
    return header.raw_data.timestamp;
  }

  it('loses and doubles no order, and its backlog is done within 5 minutes of chain time', async () => {
    // Their time is up while it is away.
    for (let n = 0; n < LENT; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => place(`lent ${n + at}`)));
    await world.untilRow(`select 1 from delegations where state = 'delegated' having count(*) = ${LENT}`, []);
    // Accepted, and in no block yet: one lands while it is away, one is forgotten.
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: 1 });
    const underWay = place('forgotten').then(async () => place('landing'));
    // Not counted by calls: on a slow machine some are sent again.
    const sent = () => proxy.calls.filter(({ route }) => route === BROADCAST).map(({ body }) => body['txID']);
    await until('both sent', async () => new Set(sent()).size >= LENT + 2);
    await proxy.refuse();
    const leftMs = await chainTimeMs();

    const refused = await place('while it is away');
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([500, 'NODE_UNAVAILABLE']);
    for (let passedMs = 0; passedMs < AWAY_MS; passedMs += 30_000) {
      await world.control('clock', { ms: 30_000 });
      await world.control('block');
    }
    await underWay;
    expect((await chainTimeMs()) - leftMs).toBeGreaterThanOrEqual(AWAY_MS);
    const held = await world.query(`select count(*) as n from delegations where state = 'delegated'`);
    expect(held).toEqual([{ n: BigInt(LENT) }]);

    await proxy.listen();
    const backMs = await chainTimeMs();
    await world.untilRow(
      `select 1 from delegations having count(*) filter (where state in ('reclaimed', 'failed', 'delegated', 'taken_back'))
         = ${LENT + 2} and count(*) filter (where state = 'reclaimed') >= ${LENT}`,
    );
    expect((await chainTimeMs()) - backMs).toBeLessThan(BACKLOG_MS);
    expect((await place('afterwards')).status).toBe(200);
    await world.untilRow(`select 1 from delegations where idempotency_key = 'afterwards' and state = 'delegated'`);
    const orders = await expectChainTruth(world);
    expect(orders).toHaveLength(LENT + 3);
    const reclaims = await world.query(
      `select count(*) as landed, count(distinct subject_id) as orders from chain_transactions
        where purpose = 'reclaim' and state = 'final'`,
    );
    expect(reclaims[0]!['landed']).toBe(reclaims[0]!['orders']);
  });
});
