import { SchedulerRegistry } from '@nestjs/schedule';
import { BurnedBandwidthRepository } from '../../../src/reporting/burned-bandwidth/burned-bandwidth.repository';
import { ReadBurnedFees } from '../../../src/reporting/burned-bandwidth/read-burned-fees';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';

const ROUTE = 'walletsolidity/gettransactioninfobyid';
const EVER = { from: '2000-01-01', to: '2100-01-01' };

/** The local chain began without stake for bandwidth: two transactions of a day are free, and the others burn TRX. */
describe('what our transactions burn for their bytes', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeEach(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      bandwidthStakeTrx: 0,
      env: { RECLAIM_DELAY: '1s' },
      nodeUrl: (url) => {
        proxy = new NodeProxy(url);
        return proxy.open();
      },
    });
    await world.app.app.get(SchedulerRegistry).getCronJob('burned-bandwidth').stop();
  });
  afterEach(async () => {
    await world.close();
    await proxy.close();
  });

  async function orders(count: number) {
    const caller = await world.caller({ balance: 1_000 });
    for (let order = 0; order < count; order++) {
      const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
      await world.untilReclaimed(answer.headers.get('x-delegation-id')!);
    }
  }
  const age = (interval: string) =>
    world.query(`update chain_transactions set created_at = created_at - interval '${interval}' returning id`);
  const read = (app = world.app) => app.app.get(ReadBurnedFees).run();
  const sum = () => world.app.app.get(BurnedBandwidthRepository).sum(EVER);
  const burnedOnTheChain = async () => BigInt((await world.node('wallet/getburntrx'))['burnTrxAmount'] as number);

  it('is summed to the sun, once for each transaction, by one of several instances', async () => {
    await orders(3);
    expect(await read()).toBe(0);
    await age('4 minutes');
    const other = await world.startInstance({}, false);
    const passed = await Promise.all([read(), read(other)]);
    expect(passed.toSorted()).toEqual([0, 6]);
    const burnedSun = await burnedOnTheChain();
    expect(burnedSun).toBeGreaterThan(1_000_000n);
    expect(await sum()).toEqual({ transactions: 6n, burning: 4n, burnedSun, unread: 0n });
    expect(await read()).toBe(0);
    await orders(1);
    await age('4 minutes');
    expect(await read()).toBe(2);
    expect(await sum()).toEqual({ transactions: 8n, burning: 6n, burnedSun: await burnedOnTheChain(), unread: 0n });
  });

  it('asks again about a transaction that no node knows until it is a day old, and counts it as unread then', async () => {
    await orders(1);
    await age('4 minutes');
    proxy.answers = ({ route }) => (route === ROUTE ? '{}' : undefined);
    expect(await read()).toBe(0);
    expect(await sum()).toMatchObject({ transactions: 0n, unread: 0n });
    await age('1 day');
    expect(await read()).toBe(2);
    expect(await sum()).toEqual({ transactions: 0n, burning: 0n, burnedSun: 0n, unread: 2n });
  });

  it('does not believe an answer about another transaction, another block, or more than bytes can burn', async () => {
    await orders(1);
    await age('4 minutes');
    for (const wrong of [{ id: '00'.repeat(32) }, { blockNumber: 1 }, { receipt: { net_fee: 10_000_001 } }]) {
      proxy.after = ({ route }, answer) =>
        route === ROUTE ? JSON.stringify({ ...(JSON.parse(answer) as object), ...wrong }) : answer;
      expect(await read()).toBe(0);
    }
    proxy.after = (_call, answer) => answer;
    expect(await read()).toBe(2);
  });

  it('asks nothing about a wallet that still has plenty of staked bandwidth, as read after its block', async () => {
    await orders(1);
    await age('4 minutes');
    const has = (bytes: number) =>
      world.query(`update pool_wallets set bandwidth = $1, free_bandwidth = 0 where name = 'pool' returning id`, [
        bytes,
      ]);
    await has(99_999);
    expect(await read()).toBe(2);
    expect(proxy.count(ROUTE)).toBe(2);
    await orders(1);
    await age('4 minutes');
    await has(100_000);
    await world.query(`update pool_wallets set observed_block = 1 where name = 'pool' returning id`);
    expect(await read()).toBe(2);
    expect(proxy.count(ROUTE)).toBe(4);
    await orders(1);
    await age('4 minutes');
    // No reading of the wallet comes in between.
    const { promise, resolve } = Promise.withResolvers<void>();
    proxy.before = ({ route }) => (route === 'walletsolidity/getaccount' ? promise : undefined);
    await world.query(
      `update pool_wallets set bandwidth = 100000, free_bandwidth = 0, observed_block = 1000000 returning id`,
    );
    expect(await read()).toBe(2);
    expect(proxy.count(ROUTE)).toBe(4);
    resolve();
    expect(await sum()).toMatchObject({ transactions: 6n, unread: 0n });
  });

  it('passes a transaction that is dead, and stops at one that is still open', async () => {
    await orders(2);
    await age('4 minutes');
    const [, , third] = await world.query(`select id from chain_transactions order by id`);
    const setState = (state: string) =>
      world.query(`update chain_transactions set state = $2 where id = $1 returning id`, [third!['id'], state]);
    await setState('included');
    expect(await read()).toBe(2);
    await setState('dead');
    expect(await read()).toBe(2);
    expect(await sum()).toMatchObject({ transactions: 3n, unread: 0n });
  });
});
