import { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { NodeProxy } from '../../../support/node-proxy';
import { type Caller, OrderWorld } from '../../../support/order-world';

const BROADCAST = 'wallet/broadcasttransaction';

describe('a broadcast that is refused for the number of calls', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 250,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const genesisChecks = () =>
    proxy.calls.filter(({ route, body }) => route.endsWith('getblockbynum') && body['num'] === 0).length;

  it.each(['429', 'rate-limited', 'pool-then-429', 'pool-then-rate-limited'])(
    '(%s) is made again after the pause, and the order is carried out once',
    async (kind) => {
      await place();
      const checks = genesisChecks();
      await world.control('fault', { route: BROADCAST, kind, count: 1 });
      const answer = await place();
      expect(answer.status).toBe(200);
      const sent = proxy.calls.filter(({ route, body }) => route === BROADCAST && body['txID'] === answer.body['txid']);
      expect(sent).toHaveLength(2);
      // Nothing is wrong with the node.
      expect(
        world.app.app
          .get(ConfiguredNodes)
          .standings()
          .map(({ lastFault }) => lastFault),
      ).toEqual([null, null]);
      expect(genesisChecks()).toBe(checks);
    },
  );

  it.each([
    ['429', 'OUTCOME_UNKNOWN'],
    ['rate-limited', 'NODE_UNAVAILABLE'],
  ])('(%s) each time is answered with %s, and the order is not charged', async (kind, code) => {
    const impatient = await world.startInstance({ ANSWER_TIMEOUT: '2s' });
    await world.control('fault', { route: BROADCAST, kind, count: 50 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const answer = await world.delegate(caller, body, {}, impatient);
    await world.control('fault', { route: BROADCAST, kind: 'none' });
    expect(answer.headers.get('x-error-code')).toBe(code);
    await world.control('clock', { ms: 61_000 });
    await world.untilState(answer.headers.get('x-delegation-id')!, 'failed');
    await world.stopInstance(impatient);
  });

  it('by a gateway that suspends the key sends nothing until that is over', async () => {
    await world.control('fault', { route: BROADCAST, kind: '403', count: 1 });
    const impatient = await world.startInstance({ ANSWER_TIMEOUT: '1s' });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const answer = await world.delegate(caller, body, {}, impatient);
    expect(answer.headers.get('x-error-code')).toBe('OUTCOME_UNKNOWN');
    await world.stopInstance(impatient);
    await world.control('clock', { ms: 61_000 });
    await world.untilState(answer.headers.get('x-delegation-id')!, 'failed');
  });

  it('ends with money and stake as the chain has it', async () => {
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
});
