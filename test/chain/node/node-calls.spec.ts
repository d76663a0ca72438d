import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';

const BROADCAST = 'wallet/broadcasttransaction';
/** What the follower reads, orders or not. */
const FOLLOWER = new Set([
  'wallet/getblock',
  'wallet/getblockbynum',
  'wallet/getblockbylimitnext',
  'wallet/getaccountresource',
  'walletsolidity/getblock',
  'walletsolidity/getblockbynum',
  'walletsolidity/getblockbylimitnext',
  'walletsolidity/getaccount',
  'walletsolidity/getcandelegatedmaxsize',
]);

describe('what orders ask of the node', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  const unsaved: string[] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 1000, solidLag: 2, nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
    proxy.before = async (call) => {
      if (call.route !== BROADCAST) return;
      const saved = await world.query(
        `select 1 from chain_transactions
          where tx_id = $1 and raw_data_bytes = decode($2, 'hex') and signature_bytes = decode($3, 'hex')`,
        [call.body['txID'], call.body['raw_data_hex'], (call.body['signature'] as string[])[0]],
      );
      if (saved.length === 0) unsaved.push(String(call.body['txID']));
    };
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
    const calls = proxy.calls.map(({ route }) => route).filter((route) => !FOLLOWER.has(route));
    expect(calls).toEqual(Array.from({ length: 3 }, () => ['wallet/getaccount', BROADCAST]).flat());
  });

  it('equal orders on one reference block are different transactions, over two instances', async () => {
    const caller = await world.caller();
    const instances = [world.app, await world.startInstance()];
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const request = (_: unknown, at: number) => world.delegate(caller, body, {}, instances[at % 2]);
    const answers = await Promise.all(Array.from({ length: 40 }, request));
    expect(new Set(answers.map((answer) => answer.body['txid'])).size).toBe(40);
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('reaches no node with a transaction that is not committed', () => {
    expect(proxy.count(BROADCAST)).toBeGreaterThan(40);
    expect(unsaved).toEqual([]);
  });
});
