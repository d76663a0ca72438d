import { asksForHead } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';

const BROADCAST = 'wallet/broadcasttransaction';

describe('guarantee 5: a backlog on a node that is slow with full blocks', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 200,
      env: { ANSWER_TIMEOUT: '1s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  it('holds up no new block: between two of its reads the head is asked for', async () => {
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: 1_000 });
    const caller = await world.caller();
    const lost = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await proxy.refuse();
    // It could be in any of these.
    await world.control('block', { count: 200 });
    await world.control('clock', { ms: 61_000 });
    await world.control('block', { count: 40 });
    proxy.calls.length = 0;
    // Longer than from one block to the next.
    proxy.before = ({ route }) =>
      route.endsWith('getblockbylimitnext') ? new Promise((resolve) => setTimeout(resolve, 250)) : undefined;
    await proxy.listen();
    await world.untilState(lost.headers.get('x-delegation-id')!, 'failed');
    const runs = [0];
    for (const call of proxy.calls) {
      if (asksForHead(call)) runs.push(0);
      else if (call.route.endsWith('getblockbylimitnext')) runs[runs.length - 1]! += 1;
    }
    expect(runs.reduce((sum, run) => sum + run)).toBeGreaterThan(6);
    expect(Math.max(...runs)).toBeLessThanOrEqual(2);
  });
});
