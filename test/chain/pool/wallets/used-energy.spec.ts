import { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import { NodeProxy } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

it('a wallet whose node names more used energy than any stake gives is read all the same, and lends', async () => {
  let proxy!: NodeProxy;
  const world = await OrderWorld.open({ nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
  try {
    proxy.after = ({ route }, answer) =>
      route === 'wallet/getaccountresource' ? answer.replace('{', '{"EnergyUsed":9000000000000000000,') : answer;
    await until('the node believed', async () => {
      await world.tryToReadWallets();
      const [wallet] = (await world.app.app.get(PoolWallets).list()).filter(({ name }) => name === 'pool');
      return wallet!.used_energy_sun === 2n ** 63n - 1n;
    });
    const caller = await world.caller({ balance: 10 });
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(answer.status).toBe(200);
  } finally {
    await world.close();
    await proxy.close();
  }
});
