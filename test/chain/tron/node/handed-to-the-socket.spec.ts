import { ensureBuild } from '../../../support/build';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { NodeProxy } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';

/** The one crash point at which no process knows what the node has: it must not need the node's answer to be there. */
describe('a process that is killed when its socket has all bytes of a broadcast', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    ensureBuild();
    world = await OrderWorld.open({
      block: 200,
      backgroundWork: false,
      env: { ANSWER_TIMEOUT: '20s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  it('has ended although the node has not answered yet, and its bytes are at the node', async () => {
    let passOn!: () => void;
    const held = new Promise<void>((resolve) => (passOn = resolve));
    proxy.before = ({ route }) => (route === BROADCAST ? held : undefined);
    const killed = await world.startProcess({ CRASH_AT: 'CP5' });
    const caller = await world.caller();
    const body = { receiver_address: await world.receiver(), amount: 1 };
    await world.delegate(caller, body, {}, killed).catch(() => undefined);
    await killed.ended;
    expect(killed.process.signalCode).toBe('SIGKILL');
    await until('the bytes at the node', async () => proxy.count(BROADCAST) === 1);
    proxy.before = () => undefined;
    passOn();
    await world.startInstance();
    await world.query(
      `update delegations set claimed_until = now() - interval '1 second' where claimed_until is not null`,
    );
    await untilSettled(world.app.sql);
    const orders = await expectChainTruth(world);
    expect(orders).toMatchObject([{ hold: 'taken', tx_state: 'final' }]);
  });
});
