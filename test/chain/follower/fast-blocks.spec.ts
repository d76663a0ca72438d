import { Capacity } from '../../../src/chain/wallets/capacity';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';

const ACCOUNT = 'walletsolidity/getaccount';

describe('a pool that is never read within one solid block', () => {
  it('has its wallets read one by one, each within one', async () => {
    let proxy!: NodeProxy;
    const world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await world.control('block', { count: 6 });
    // A solid block between the readings of any two wallets.
    proxy.before = async ({ route }) => {
      if (route === ACCOUNT && proxy.count(ACCOUNT) % 2 === 0) await world.control('block');
    };
    await world.app.app.get(Capacity).refresh();
    expect(await world.query(`select name from pool_wallets where observed_at is null`)).toEqual([]);
    await world.close();
    await proxy.close();
  });
});
