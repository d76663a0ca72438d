import { utils } from 'tronweb';
import { until } from '../../support/until';
import { SignerProxy } from './signer-proxy';
import { SignerWorld } from './signer-world';

describe('an order whose wallet the signer refuses to sign for', () => {
  let signed: SignerWorld;
  let proxy: SignerProxy;
  beforeAll(async () => {
    signed = await SignerWorld.open({
      socketPath: async (signer) => (proxy = await SignerProxy.open(signer.socket)).socket,
    });
  });
  afterAll(async () => {
    await signed.close();
    await proxy.close();
  });

  it('is taken by another wallet that has the stake', async () => {
    const { world } = signed;
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: 9_000_000_000_000_000 });
    // If two wallets fit, the one with less stake is chosen first.
    await world.addKey('larger', address.base58, 'delegate', privateKey.replace(/^0x/, '').toLowerCase());
    await until('it is read', async () => {
      await world.tryToReadWallets();
      return (await world.query(`select 1 from pool_wallets where name = 'larger' and delegable_sun > 0`))[0];
    });
    const order = async () =>
      world.delegate(await world.caller(), { receiver_address: await world.receiver(true), amount: 1 });
    const walletOf = async (answer: Awaited<ReturnType<typeof order>>) =>
      (await world.show(answer.headers.get('x-delegation-id')!))?.wallet;
    expect(await walletOf(await order())).toBe('pool');
    proxy.change = () => ({ results: [{ error: 'not_allowed', message: 'not this one' }] });
    const refused = proxy.posts.length;
    const answer = await order();
    expect([answer.status, await walletOf(answer)]).toEqual([200, 'larger']);
    expect(proxy.posts.length).toBe(refused + 1);
  });
});
