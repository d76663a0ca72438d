import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { NodeProxy } from '../../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const RESOURCES = 'wallet/getaccountresource';

describe('a node whose numbers are not as they should be', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 250, nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(async () => {
    proxy.after = (_call, answer) => answer;
    await until('an order goes through', async () => (await place()).status === 200);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  /** At an instance that has read nothing before. */
  async function placeAnew(): Promise<Answer> {
    const fresh = await world.startInstance();
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, {}, fresh);
    expect((await fetch(`${fresh.url}/api/user/balance`)).status).toBe(401);
    await world.stopInstance(fresh);
    return answer;
  }
  const rewrite = (route: string, change: (answer: string) => string) => {
    proxy.after = (call, answer) => (call.route === route ? change(answer) : answer);
  };

  it.each([
    ['leaves the weight out', /"TotalEnergyWeight":\s*\d+,?/, ''],
    ['gives a weight of zero', /("TotalEnergyWeight":\s*)\d+/, '$10'],
    ['gives a limit that is not a number', /("TotalEnergyLimit":\s*)\d+/, '$1"many"'],
  ])('and that %s sells nothing meanwhile, and stops nothing', async (_what, found, put) => {
    rewrite(RESOURCES, (answer) => answer.replace(found, put).replace(/,\s*}$/, '}'));
    const refused = await placeAnew();
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([500, 'NODE_UNAVAILABLE']);
    expect(refused.headers.get('x-delegation-id')).toBeNull();
  });

  it('but only written as text sells as ever', async () => {
    const asText = (answer: string) => answer.replace(/(:\s*)(\d+)(?=[,}\s])/g, '$1"$2"');
    proxy.after = ({ route }, answer) => (/getaccount|getcandelegated/.test(route) ? asText(answer) : answer);
    expect((await placeAnew()).status).toBe(200);
  });
});

describe('of two nodes, one whose numbers are not as they should be', () => {
  it('is passed over for the other', async () => {
    let first!: NodeProxy;
    const world = await OrderWorld.open({
      block: 250,
      nodeUrl: async (url) => `${await (first = new NodeProxy(url)).open()},${url}`,
    });
    const caller = await world.caller();
    first.after = ({ route }, answer) => (route === RESOURCES ? answer.replace('TotalEnergyWeight', 'Total') : answer);
    const fresh = await world.startInstance();
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, {}, fresh);
    expect(answer.status).toBe(200);
    await world.close();
    await first.close();
  });
});
