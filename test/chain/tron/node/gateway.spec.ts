import { utils } from 'tronweb';
import { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import { nodeFaults } from '../../../../src/common/telemetry-channels';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { Gateway, type GatewayRefusal } from '../../../support/gateway';
import { type Answer, OrderWorld, type WorldOptions } from '../../../support/order-world';

const WALLETS = 8;
const ORDERS = 30;

describe.each<[refusal: GatewayRefusal, env: Record<string, string>]>([
  ['429', {}],
  ['403', {}],
  ['200', {}],
  ['429', { NODE_CALLS_PER_SECOND: '15' }],
])('a gateway with fifteen calls a second that refuses with %s, and the settings %j', (refusal, env) => {
  let world: OrderWorld;
  let gateway: Gateway;
  const faults: unknown[] = [];
  const count = (fault: unknown) => faults.push(fault);
  beforeAll(async () => {
    nodeFaults.subscribe(count);
    const nodeUrl: WorldOptions['nodeUrl'] = (url) => (gateway = new Gateway(url, 15, refusal)).open();
    world = await OrderWorld.open({ time: 'virtual', block: 3_000, env, nodeUrl });
    for (let at = 1; at < WALLETS; at++) {
      const { address, privateKey } = utils.accounts.generateAccount();
      const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
      await world.control('account', { ...account, staked_energy_sun: 1_000_000_000_000 });
      await world.addKey(`pool-${at}`, address.base58, 'delegate', privateKey.toLowerCase());
    }
    await world.control('block', { count: 6 });
  });
  afterAll(async () => {
    nodeFaults.unsubscribe(count);
    await world.close();
    await gateway.close();
  });

  it('lets 29 of 30 orders at two a second succeed with eight pool wallets', async () => {
    const caller = await world.caller();
    const receivers = await Promise.all(Array.from({ length: ORDERS }, () => world.receiver()));
    const answers: Promise<Answer>[] = [];
    for (const receiver of receivers) {
      answers.push(world.delegate(caller, { receiver_address: receiver, amount: 1 }));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const codes = (await Promise.all(answers)).map(({ headers }) => headers.get('x-error-code') ?? 'success');
    expect(codes.filter((code) => code === 'success').length).toBeGreaterThanOrEqual(29);
  });

  it('does not count against the node, and sets none aside', async () => {
    expect(faults).toEqual([]);
    const nodes = world.app.app.get(ConfiguredNodes).standings();
    expect(nodes.map(({ lastFault }) => lastFault)).toEqual(nodes.map(() => null));
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  if (env['NODE_CALLS_PER_SECOND'])
    it('never gets more than it was said to take, in any second', () => {
      expect(gateway.busiestSecond).toBeLessThanOrEqual(15);
      expect(gateway.refused).toEqual([]);
    });
  else
    it('refuses few once it was found out how much it takes', () => {
      expect(gateway.refused.length).toBeLessThan(gateway.arrivalsMs.length / 10);
    });
});
