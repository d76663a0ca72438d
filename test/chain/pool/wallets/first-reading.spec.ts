import { utils } from 'tronweb';
import { toHexAddress } from '../../../../src/chain/tron/addresses';
import { Capacity } from '../../../../src/chain/pool/wallets/capacity';
import { PoolWalletRepository } from '../../../../src/chain/pool/wallets/pool-wallet.repository';
import { NodeProxy } from '../../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import type { TestApp } from '../../../support/test-app';
import { until } from '../../../support/until';

const READINGS = ['walletsolidity/getcandelegatedmaxsize', 'walletsolidity/getaccount', 'wallet/getaccountresource'];

describe('an order that comes before what it needs was read', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200, nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
    caller = await world.caller({ balance: 100_000 });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  beforeEach(() => {
    proxy.before = () => undefined;
  });

  /** An account of the chain's, solid already. */
  async function account(stakedTrx: number): Promise<{ address: string; key: string }> {
    const { address, privateKey } = utils.accounts.generateAccount();
    const funds = { balance_sun: 10_000_000_000, staked_energy_sun: stakedTrx * 1_000_000 };
    await world.control('account', { address: address.base58, type: 'Normal', ...funds });
    await until('it is solid', async () => {
      const body = { address: address.base58, visible: true };
      return (await world.node('walletsolidity/getaccount', body))['address'] !== undefined;
    });
    return { address: address.base58, key: privateKey.toLowerCase() };
  }
  const remove = (role: string) =>
    world.query(
      `update pool_wallets set state = 'draining', removed_at = clock_timestamp() where role = $1 and removed_at is null returning id`,
      [role],
    );
  const slowly = (address: string, ms: number) => {
    const hex = toHexAddress(address);
    proxy.before = async ({ route, body }) => {
      const isOfIt = [body['address'], body['owner_address']].includes(hex);
      if (isOfIt && READINGS.includes(route)) await new Promise((resolve) => setTimeout(resolve, ms));
    };
  };
  const order = async (body: Record<string, unknown> = {}, app?: TestApp): Promise<string> => {
    const asked = { receiver_address: await world.receiver(), amount: 1, ...body };
    return codeOf(await world.delegate(caller, asked, {}, app));
  };
  const codeOf = (answer: Answer) => `${answer.status} ${answer.headers.get('x-error-code')}`;

  it.each([0, 700, 2_300])('waits for the first reading of the only wallet that lends, of %s ms', async (ms) => {
    await remove('delegate');
    const { address, key } = await account(100_000);
    slowly(address, ms);
    // While there is none, a round over no wallets may be under way.
    const early = [order(), order()];
    await world.addKey(`lends after ${ms}`, address, 'delegate', key);
    const codes = await Promise.all([1, 2, 3].map(() => order()));
    expect(new Set(codes)).toEqual(new Set(['200 null']));
    await Promise.all(early);
  });

  it.each([0, 700, 2_300])('waits for the first reading of the wallet that activates, of %s ms', async (ms) => {
    await remove('activate');
    const { address, key } = await account(0);
    slowly(address, ms);
    await world.addKey(`activates after ${ms}`, address, 'activate', key);
    const body = { receiver_address: await world.receiver(false), activate_address: true };
    expect(await order(body)).toBe('200 null');
  });

  it('waits for another round when the one under way began before the first wallet was added', async () => {
    await remove('delegate');
    await remove('activate');
    const next = await world.startInstance({}, false);
    const { address, key } = await account(100_000);
    const capacity = next.app.get(Capacity);
    const rows = next.app.get(PoolWalletRepository);
    const rateForOrder = jest.spyOn(capacity, 'rateForOrder');
    let asked!: Promise<string>;
    const findReadable = rows.findReadable.bind(rows);
    jest.spyOn(rows, 'findReadable').mockImplementationOnce(async () => {
      const none = await findReadable();
      await world.addKey('the first', address, 'delegate', key);
      asked = order({}, next);
      await until('the order waits', async () => rateForOrder.mock.calls.length > 0);
      return none;
    });
    await capacity.refresh();
    expect(await asked).toBe('200 null');
    await world.stopInstance(next);
  });

  it('is answered after three seconds when a first reading takes longer, and a later order has what it found', async () => {
    const next = await world.startInstance({}, false);
    // Three questions one after the other, of which none comes near the time-out.
    proxy.before = async ({ route }) => {
      if (READINGS.includes(route) || route === 'walletsolidity/getblock')
        await new Promise((resolve) => setTimeout(resolve, 2_000));
    };
    expect(await order({}, next)).toBe('500 NODE_UNAVAILABLE');
    expect(await until('an order', async () => (await order({}, next)) === '200 null')).toBe(true);
    await world.stopInstance(next);
  });

  it('finds the stake that is left although most of it is in orders that were open when the service ended', async () => {
    await remove('delegate');
    const { address, key } = await account(100_000);
    await world.addKey('lends most', address, 'delegate', key);
    expect(await order({ amount: 8 })).toBe('200 null');
    await world.stopInstance(world.app);
    await until('the solid chain shows what is lent', async () => {
      const found = await world.node('walletsolidity/getaccount', { address, visible: true });
      const resource = found['account_resource'] as Record<string, unknown> | undefined;
      return resource?.['delegated_frozenV2_balance_for_energy'] !== undefined;
    });
    proxy.before = async ({ route }) => {
      if (/getblockby/.test(route)) await new Promise((resolve) => setTimeout(resolve, 700));
    };
    const next = await world.startInstance();
    expect(await order({ amount: 2 }, next)).toBe('200 null');
  });
});
