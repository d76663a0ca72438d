import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';

const ACCOUNT = 'wallet/getaccount';

describe('a receiver that our own solid transactions prove to exist, asked of a node that does not know it', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 250, nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
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

  const forget = () => (proxy.after = ({ route }, answer) => (route === ACCOUNT ? '{}' : answer));
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
    forget();
    expect((await order(receiver, true)).status).toBe(200);
    expect(await costs(receiver)).toEqual([4_500_000n, 3_000_000n]);
    const activations = `select state from chain_transactions where purpose = 'activation' and receiver = $1`;
    expect(await world.query(activations, [receiver])).toEqual([{ state: 'final' }]);
  });

  it('is served without activation, whether it was activated by us or only lent to', async () => {
    const [activated, lentTo] = [await world.receiver(false), await world.receiver()];
    await order(activated, true);
    await order(lentTo, false);
    await untilSettled(world.app.sql);
    forget();
    expect((await order(activated, false)).status).toBe(200);
    expect((await order(lentTo, false)).status).toBe(200);
  });

  it('is activated for the first time while nothing of ours for it is solid', async () => {
    const receiver = await world.receiver(false);
    forget();
    expect((await order(receiver, false)).headers.get('x-error-code')).toBe('RECEIVER_NOT_ACTIVATED');
    expect((await order(receiver, true)).status).toBe(200);
    expect(await costs(receiver)).toEqual([4_500_000n]);
  });
});
