import { NodeProxy } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';

const BROADCAST = 'wallet/broadcasttransaction';
/** What the service reads, orders or not: blocks, and what the stake of its wallets does. */
const BESIDE_ORDERS = new Set([
  'wallet/getblock',
  'wallet/getblockbynum',
  'wallet/getblockbylimitnext',
  'wallet/getaccountresource',
  'walletsolidity/getblock',
  'walletsolidity/getblockbynum',
  'walletsolidity/getblockbylimitnext',
  'walletsolidity/getaccount',
  'walletsolidity/getcandelegatedmaxsize',
  'walletsolidity/getReward',
  'wallet/getBrokerage',
  'wallet/getchainparameters',
  'wallet/listwitnesses',
]);

describe('what orders ask of the node', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 1000, solidLag: 2, nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  it('a warm order costs two calls: the state of the receiver and the broadcast', async () => {
    const caller = await world.caller();
    const receiver = await world.receiver();
    await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    proxy.calls.length = 0;
    for (let order = 0; order < 3; order++) await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const calls = proxy.calls.map(({ route }) => route).filter((route) => !BESIDE_ORDERS.has(route));
    expect(calls).toEqual(Array.from({ length: 3 }, () => ['wallet/getaccount', BROADCAST]).flat());
  });
});
