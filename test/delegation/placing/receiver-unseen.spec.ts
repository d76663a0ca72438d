import { toHexAddress } from '../../../src/chain/tron/addresses';
import { watchFromNow } from '../../support/by-hand';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';

describe('a receiver that our own solid transactions prove to exist, asked of a node that does not know it', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 250,
      env: { RECLAIM_DELAY: '1s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller({ balance: 100 });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(async () => {
    proxy.after = (_call, answer) => answer;
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  /** Neither at its head nor in its solid view. */
  const forget = (...receivers: string[]) => {
    const forgotten = receivers.map(toHexAddress);
    proxy.after = ({ route, body }, answer) =>
      route.endsWith('/getaccount') && forgotten.includes(String(body['address'])) ? '{}' : answer;
  };
  const order = (receiver: string, activate: boolean) =>
    world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: activate });
  const costs = async (receiver: string) =>
    (await world.query(`select cost_sun from delegations where receiver = $1 order by created_at`, [receiver])).map(
      ({ cost_sun }) => cost_sun,
    );

  it('is activated once and paid for once', async () => {
    const receiver = await world.receiver(false);
    expect((await order(receiver, true)).status).toBe(200);
    await untilSettled(world.app.sql);
    forget(receiver);
    expect((await order(receiver, true)).status).toBe(200);
    expect(await costs(receiver)).toEqual([4_500_000n, 3_000_000n]);
    const activations = `select state from chain_transactions where purpose = 'activation' and receiver = $1`;
    expect(await world.query(activations, [receiver])).toEqual([{ state: 'final' }]);
  });

  it('is activated once and paid for once when what proves it is years old', async () => {
    const receiver = await world.receiver(false);
    const { headers } = await order(receiver, true);
    await world.untilState(headers.get('x-delegation-id')!, 'reclaimed');
    await world.query(
      `update delegations set created_at = created_at - interval '500 days', answered_at = answered_at - interval '500 days',
         delegated_at = delegated_at - interval '500 days', reclaimed_at = reclaimed_at - interval '500 days' where receiver = $1`,
      [receiver],
    );
    // What was lent and taken back so long ago explains nothing of today.
    await watchFromNow(world);
    forget(receiver);
    expect((await order(receiver, true)).status).toBe(200);
    expect(await costs(receiver)).toEqual([4_500_000n, 3_000_000n]);
  });

  it('is served without activation, whether it was activated by us or only lent to', async () => {
    const [activated, lentTo] = [await world.receiver(false), await world.receiver()];
    await order(activated, true);
    await order(lentTo, false);
    await untilSettled(world.app.sql);
    forget(activated, lentTo);
    expect((await order(activated, false)).status).toBe(200);
    expect((await order(lentTo, false)).status).toBe(200);
  });

  it('is activated for the first time while nothing of ours for it is solid', async () => {
    const receiver = await world.receiver(false);
    forget(receiver);
    expect((await order(receiver, false)).headers.get('x-error-code')).toBe('RECEIVER_NOT_ACTIVATED');
    expect((await order(receiver, true)).status).toBe(200);
    expect(await costs(receiver)).toEqual([4_500_000n]);
  });
});

describe('a receiver that exists, of two nodes', () => {
  let world: OrderWorld;
  let nodes: NodeProxy[];
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 250,
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    caller = await world.caller({ balance: 100 });
  });
  afterAll(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });
  afterEach(async () => {
    for (const node of nodes) [node.after, node.status] = [(_call, answer) => answer, () => undefined];
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const isAccount = (route: string) => route.endsWith('/getaccount');
  const forget = (node: NodeProxy) => (node.after = ({ route }, answer) => (isAccount(route) ? '{}' : answer));
  const order = (receiver: string, activate: boolean) =>
    world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: activate });
  const activations = () => world.query(`select 1 from chain_transactions where purpose = 'activation'`);

  it.each([
    ['first', 0],
    ['second', 1],
  ])('is neither activated again nor refused because the %s does not know it', async (_, at) => {
    forget(nodes[at]!);
    for (const activate of [true, false]) {
      const answer = await order(await world.receiver(), activate);
      expect([answer.status, (await world.show(answer.headers.get('x-delegation-id')!))!.cost_sun]).toEqual([
        200,
        3_000_000n,
      ]);
    }
    expect(await activations()).toEqual([]);
  });

  it('is taken for one that does not when all that answer say so, though another fails', async () => {
    forget(nodes[0]!);
    nodes[1]!.status = ({ route }) => (isAccount(route) ? 500 : undefined);
    expect((await order(await world.receiver(), false)).headers.get('x-error-code')).toBe('RECEIVER_NOT_ACTIVATED');
  });
});
