import { setTimeout as sleep } from 'node:timers/promises';
import { TronWeb } from 'tronweb';
import { ConfiguredNodes } from '../../../src/chain/tron/node/configured-nodes';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const HEAD = 'wallet/getaccount';
const SOLID = 'walletsolidity/getaccount';
/** Longer than a node rests after its first failure, and before its call is given up. */
const LATE_MS = 2_500;

/** What a node shows of one address, in its head, its solid view, or both. */
const showing =
  (routes: readonly string[], address: string, account: (shown: Record<string, unknown>) => object) =>
  ({ route, body }: NodeCall, answer: string) =>
    routes.includes(route) && body['address'] === TronWeb.address.toHex(address)
      ? JSON.stringify(account(JSON.parse(answer) as Record<string, unknown>))
      : answer;
const nothing = () => ({});
const aContract = (shown: Record<string, unknown>) => ({ ...shown, type: 'Contract' });
const another = (shown: Record<string, unknown>) => ({ ...shown, address: `41${'ab'.repeat(20)}` });
const code = ({ headers }: Answer) => headers.get('x-error-code') ?? 'success';

describe.each([
  ['a single node', 1],
  ['the first of two nodes', 2],
])('what %s says of a receiver', (_, count) => {
  let world: OrderWorld;
  let caller: Caller;
  const nodes: NodeProxy[] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 250,
      nodeUrl: async (url) => {
        nodes.splice(0);
        for (let at = 0; at < count; at++) nodes.push(new NodeProxy(url));
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });
  afterEach(async () => {
    for (const node of nodes) [node.before, node.after] = [() => undefined, (_call, answer) => answer];
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const order = (receiver: string, activate = false) =>
    world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: activate });
  const costs = async (receiver: string) =>
    (await world.query(`select cost_sun from delegations where receiver = $1`, [receiver])).map(
      ({ cost_sun: sun }) => sun,
    );
  const put = async (type: 'Contract' | 'Normal') => {
    const receiver = await world.receiver(false);
    await world.control('account', { address: receiver, type, balance_sun: 1_000_000, staked_energy_sun: 0 });
    return receiver;
  };

  it('has no user pay for an activation where only its head does not show the account', async () => {
    const receiver = await put('Normal');
    nodes[0]!.after = showing([HEAD], receiver, nothing);
    expect(code(await order(receiver, true))).toBe('success');
    expect(code(await order(receiver))).toBe('success');
    expect(await costs(receiver)).toEqual([3_000_000n, 3_000_000n]);
  });

  it('is that it is a contract: refused where all heads show that', async () => {
    expect(code(await order(await put('Contract'), true))).toBe('RECEIVER_IS_CONTRACT');
  });

  it('is that it is not there: activated, and paid for', async () => {
    const receiver = await world.receiver(false);
    expect(code(await order(receiver))).toBe('RECEIVER_NOT_ACTIVATED');
    expect(code(await order(receiver, true))).toBe('success');
    expect(await costs(receiver)).toEqual([4_500_000n]);
  });

  it('is not believed where it shows another account', async () => {
    const receiver = await put('Normal');
    nodes[0]!.after = showing([HEAD, SOLID], receiver, another);
    const answer = await order(receiver, true);
    expect(code(answer)).toBe(count === 1 ? 'NODE_UNAVAILABLE' : 'success');
    expect(await costs(receiver)).toEqual(count === 1 ? [] : [3_000_000n]);
  });

  if (count === 1) return;

  it('refuses no order where it shows a contract, and the second does not', async () => {
    const [active, absent] = [await put('Normal'), await world.receiver(false)];
    nodes[0]!.after = showing([HEAD, SOLID], active, aContract);
    expect(code(await order(active))).toBe('success');
    nodes[0]!.after = (call, answer) =>
      showing([HEAD, SOLID], absent, (shown) => ({ address: TronWeb.address.toHex(absent), ...aContract(shown) }))(
        call,
        answer,
      );
    expect(code(await order(absent, true))).toBe('success');
    expect(await costs(absent)).toEqual([4_500_000n]);
  });

  it('refuses no order where it shows a contract, and the second has timed out once before', async () => {
    const [active, absent] = [await put('Normal'), await world.receiver(false)];
    const [, second] = nodes;
    let hangs = true;
    second!.before = ({ route, body }) => {
      // Calls for the pool's wallets answer: one that hung would be given up later, and the node would rest again then.
      const isOrders = [HEAD, SOLID].includes(route) && body['address'] === TronWeb.address.toHex(absent);
      if (hangs) return isOrders ? NodeProxy.HANG() : undefined;
      // Until then, no other call shows that it answers again.
      return route.endsWith('/getblock') ? sleep(LATE_MS) : undefined;
    };
    expect(code(await order(absent))).toBe('RECEIVER_NOT_ACTIVATED');
    hangs = false;
    const configured = world.app.app.get(ConfiguredNodes);
    await until('its rest is over', async () =>
      (['wallet', 'walletsolidity'] as const).every((kind) => configured.reachable(kind).length === 2),
    );
    nodes[0]!.after = showing([HEAD, SOLID], active, aContract);
    expect(code(await order(active))).toBe('success');
  });

  it('has no user pay for an activation where neither its head nor its solid view shows the account', async () => {
    const receiver = await put('Normal');
    nodes[0]!.after = showing([HEAD, SOLID], receiver, nothing);
    expect(code(await order(receiver, true))).toBe('success');
    expect(await costs(receiver)).toEqual([3_000_000n]);
  });

  it('has no user pay for an activation where the heads of both do not show the account', async () => {
    const receiver = await put('Normal');
    for (const node of nodes) node.after = showing([HEAD], receiver, nothing);
    expect(code(await order(receiver, true))).toBe('success');
    expect(await costs(receiver)).toEqual([3_000_000n]);
  });
});
