import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalChain, startLocalChain } from '../../local-chain/src/local-chain';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { runOnServer } from '../support/database-server';
import { NodeProxy, ofAnotherChain } from '../support/node-proxy';
import { type Caller, OrderWorld } from '../support/order-world';
import { until } from '../support/until';
import { CLOCK_SESSION } from '../support/virtual-time/database-time';

const server = () => process.env['TEST_DATABASE_SERVER_URL']!;

describe('an outage', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let other: LocalChain;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 300,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    other = await startLocalChain({ block: 'manual', control: true });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
    await other.close();
  });
  afterEach(async () => {
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const database = () => new URL(world.database.url).pathname.slice(1);
  /** But for the one by which the database's clock goes along. */
  const cutConnections = () =>
    runOnServer(
      server(),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database()}' and application_name <> '${CLOCK_SESSION}'`,
    );

  it('of the node is answered as such, and orders go on when it is back', async () => {
    await place();
    proxy.before = () => {
      throw new Error('away');
    };
    const refused = await place();
    expect(refused).toMatchObject({ status: 500, body: { success: false, error: '服务器内部错误,请稍后再试' } });
    expect(refused.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    proxy.before = () => undefined;
    await until('an order goes through', async () => (await place()).status === 200);
  });

  it('of the node between order and broadcast is a committed failure, and nothing is charged', async () => {
    await place();
    proxy.before = ({ route }) => {
      if (route === 'wallet/broadcasttransaction') throw new Error('away');
    };
    const refused = await place();
    proxy.before = () => undefined;
    expect(refused.headers.get('x-error-code')).toBe('OUTCOME_UNKNOWN');
    const view = await world.show(refused.headers.get('x-delegation-id')!);
    expect(view).toMatchObject({ answer: 'failure', cost_sun: 0n });
  });

  it('of the database is a clear failure for new requests, and those under way are answered when it is back', async () => {
    let hold!: () => void;
    const held = new Promise<void>((resolve) => (hold = resolve));
    proxy.after = async ({ route }, answer) => {
      if (route === 'wallet/broadcasttransaction') await held;
      return answer;
    };
    const underWay = place();
    await world.untilRow(`select 1 from chain_transactions where state = 'saved' and purpose = 'delegation'`);
    await runOnServer(server(), `alter database ${database()} allow_connections false`);
    await cutConnections();
    proxy.after = (_call, answer) => answer;
    hold();
    const refused = await place();
    expect(refused.status).toBe(500);
    expect(refused.headers.get('x-error-code')).toBe('INTERNAL');
    await runOnServer(server(), `alter database ${database()} allow_connections true`);
    const answer = await underWay;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-delegation-id')).not.toBeNull();
    await until('an order goes through', async () => (await place()).status === 200);
  });

  it('of single connections, again and again, loses and doubles nothing', async () => {
    let placing = true;
    const placed = Promise.all(
      Array.from({ length: 5 }, async () => {
        for (let order = 0; order < 8; order++) await place().catch(() => undefined);
      }),
    ).finally(() => (placing = false));
    // The last cut is over before anything is looked at.
    while (placing) {
      await cutConnections();
      await sleep(5);
    }
    await placed;
    await until('an order goes through', async () => (await place()).status === 200);
  });

  it('in which another chain answers at the URL proves nothing and sells nothing', async () => {
    const route = 'wallet/broadcasttransaction';
    // Time was moved on after the last test: until the follower has seen that, an order would be signed as expired.
    await until('an order goes through', async () => (await place()).status === 200);
    // An order that the node accepted and lost: open, and in no block of any chain.
    await world.control('fault', { route, kind: 'accept-then-drop', count: 100 });
    const open = await place();
    expect([open.status, open.headers.get('x-error-code')]).toEqual([200, null]);
    const id = open.headers.get('x-delegation-id')!;
    const own = proxy.target;
    const tomorrow = 86_400_000;
    await fetch(`${other.url}/control/clock`, { method: 'POST', body: JSON.stringify({ ms: tomorrow }) });
    await fetch(`${other.url}/control/block`, { method: 'POST', body: JSON.stringify({ count: 25 }) });
    proxy.after = ({ route: asked, body }, answer) =>
      proxy.target === other.url && asked.endsWith('getblockbynum') && body['num'] === 0
        ? ofAnotherChain(answer)
        : answer;
    proxy.calls.length = 0;
    proxy.target = other.url;
    await until(
      'the other chain noticed',
      async () => (await place()).headers.get('x-error-code') === 'NODE_UNAVAILABLE',
    );
    for (let turn = 0; turn < 5; turn++) {
      await fetch(`${other.url}/control/block`, { method: 'POST', body: JSON.stringify({ count: 25 }) });
      expect((await place()).headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    }
    await expect(world.audit()).rejects.toThrow('another chain');
    expect(await world.show(id)).toMatchObject({ state: 'sent', answer: 'success' });
    expect(await world.query(`select state from holds where delegation_id = $1`, [id])).toEqual([{ state: 'held' }]);

    proxy.target = own;
    await world.control('fault', { route, kind: 'none' });
    await world.untilState(id, 'delegated');
    await until('an order goes through', async () => (await place()).status === 200);
  });
});
