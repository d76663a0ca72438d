import { Capacity } from '../../../src/chain/pool/wallets/capacity';
import { Clock } from '../../../src/common/clock';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { SettableClock } from '../../support/movable-clock';

const ACCOUNT = 'walletsolidity/getaccount';

describe('a pool that is never read within one solid block', () => {
  it.each<[string, (readings: number) => boolean]>([
    // A solid block between the readings of any two wallets.
    ['has its wallets read one by one, each within one', (readings) => readings % 2 === 0],
    ['has each wallet read again and again while blocks come faster than readings', (readings) => readings < 25],
  ])('%s', async (_, comesBlock) => {
    let proxy!: NodeProxy;
    const world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
      // It has as many attempts, however long they take here.
      overrides: (builder) => builder.overrideProvider(Clock).useValue(new SettableClock()),
    });
    await world.control('block', { count: 6 });
    proxy.before = async ({ route }) => {
      if (route === ACCOUNT && comesBlock(proxy.count(ACCOUNT))) await world.control('block');
    };
    await world.app.app.get(Capacity).refresh();
    expect(await world.query(`select name from pool_wallets where observed_at is null`)).toEqual([]);
    await world.close();
    await proxy.close();
  });
});
