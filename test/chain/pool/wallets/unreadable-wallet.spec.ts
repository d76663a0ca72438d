import { utils } from 'tronweb';
import { toHexAddress } from '../../../../src/chain/tron/addresses';
import { DiagnoseKeys } from '../../../../src/chain/pool/doctor/diagnose-keys';
import { Capacity } from '../../../../src/chain/pool/wallets/capacity';
import { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import { Clock } from '../../../../src/common/clock';
import { NodeProxy } from '../../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { SettableClock } from '../../../support/movable-clock';
import type { TestApp } from '../../../support/test-app';
import { until } from '../../../support/until';

const NONSENSE = '{"Error":"class java.lang.NullPointerException : null"}';

describe('a wallet that no node can read', () => {
  const clock = new SettableClock();
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  const { address, privateKey } = utils.accounts.generateAccount();
  const odd = toHexAddress(address.base58);
  beforeAll(async () => {
    world = await OrderWorld.open({
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });
    caller = await world.caller();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: 1_000_000_000_000 });
    await world.control('block', { count: 6 });
    // If two wallets fit, the smaller one is chosen first.
    await world.addKey('odd', address.base58, 'delegate', privateKey.toLowerCase());
    await until('it is read', async () => {
      await world.tryToReadWallets();
      return (await world.query(`select 1 from pool_wallets where name = 'odd' and delegable_sun > 0`))[0];
    });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  const isOfOdd = (body: Record<string, unknown>) => [body['address'], body['owner_address']].includes(odd);
  const asked = () => proxy.calls.filter(({ route, body }) => isOfOdd(body) && !route.includes('broadcast')).length;
  const order = async (): Promise<Answer> =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const walletOf = async (answer: Answer) => (await world.show(answer.headers.get('x-delegation-id')!))?.wallet;
  const refresh = () => world.app.app.get(Capacity).refresh();
  const blockOf = async (name: string) =>
    Number(
      (await world.query(`select observed_block from pool_wallets where name = $1`, [name]))[0]!['observed_block'],
    );
  const untilItTakesOrders = () =>
    until('an order of it', async () => {
      clock.advance(300_000);
      await refresh();
      return (await walletOf(await order())) === 'odd';
    });
  const nonsense = () => (proxy.after = ({ body }, answer) => (isOfOdd(body) ? NONSENSE : answer));

  it.each(['active', 'draining'] as const)('and that is %s keeps no order from the others', async (state) => {
    await world.app.app.get(PoolWallets).setState('odd', state);
    nonsense();
    // Older than what orders are placed by, on an instance that has read nothing yet as well.
    clock.advance(121_000);
    const fresh = await world.startInstance();
    expect((await order()).status).toBe(200);
    const body = { receiver_address: await world.receiver(), amount: 1 };
    expect((await world.delegate(caller, body, {}, fresh)).status).toBe(200);
    await world.stopInstance(fresh);
  });

  it('keeps its last reading for two minutes, then takes no order, and is asked for only now and then', async () => {
    await world.app.app.get(PoolWallets).setState('odd', 'active');
    proxy.after = (_call, answer) => answer;
    await untilItTakesOrders();
    nonsense();
    await refresh();
    clock.advance(119_000);
    expect(await walletOf(await order())).toBe('odd');
    clock.advance(2_000);
    expect(await walletOf(await order())).toBe('pool');
    const [calls, block] = [asked(), await blockOf('pool')];
    await until('the others are read on', async () => {
      await refresh();
      return (await blockOf('pool')) > block + 3;
    });
    // One retry of three calls at most: the clock stands still.
    expect(asked() - calls).toBeLessThanOrEqual(3);
  });

  it('keeps no caller waiting while a node hangs on it', async () => {
    let letGo!: () => void;
    const hanging = new Promise<void>((resolve) => (letGo = resolve));
    proxy.before = ({ body }) => (isOfOdd(body) ? hanging : undefined);
    clock.advance(600_000);
    const calls = asked();
    await until('it is asked for', async () => {
      await refresh();
      return asked() > calls;
    });
    clock.advance(121_000);
    expect(await walletOf(await order())).toBe('pool');
    letGo();
    proxy.before = () => undefined;
  });

  it('is named by doctor beside what is true of the others', async () => {
    await world.query(`update pool_wallets set permission_id = 7 where name = 'pool' returning id`);
    const found = await world.app.app.get(DiagnoseKeys).run();
    await world.query(`update pool_wallets set permission_id = 0 where name = 'pool' returning id`);
    const named = found.map(({ kind, subject }) => `${kind} ${subject}`);
    expect(named).toEqual(expect.arrayContaining(['account_unread odd', 'missing_permission pool']));
  });

  it('takes orders again within a minute of it, however long it could not be read', async () => {
    nonsense();
    for (let failure = 0; failure < 8; failure++) {
      const calls = asked();
      await until('it is asked for', async () => {
        clock.advance(300_000);
        await refresh();
        return asked() > calls;
      });
    }
    proxy.after = (_call, answer) => answer;
    clock.advance(60_000);
    await until('an order of it', async () => {
      await refresh();
      return (await walletOf(await order())) === 'odd';
    });
  });

  it('is not one without energy: 501 is said only of what no wallet could have in any case', async () => {
    await until('it is read', async () => {
      clock.advance(60_000);
      await refresh();
      return (await walletOf(await order())) === 'odd';
    });
    await world.app.app.get(PoolWallets).setState('pool', 'paused');
    nonsense();
    await refresh();
    clock.advance(121_000);
    const said = async (amount: number, app?: TestApp) => {
      const body = { receiver_address: await world.receiver(), amount };
      return (await world.delegate(await world.caller({ balance: 1e9 }), body, {}, app)).headers.get('x-error-code');
    };
    expect([await said(1), await said(1e6)]).toEqual(['NODE_UNAVAILABLE', 'INSUFFICIENT_ENERGY']);
    const quoted = await world.get(caller, `/api/chain/quote?receiver_address=${await world.receiver()}&amount=1`);
    expect(quoted.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    // Another wallet that was read takes what it can.
    await world.app.app.get(PoolWallets).setState('pool', 'active');
    expect(await said(1)).toBeNull();
  });

  it('that activates is not one without TRX', async () => {
    const { address: activating } = (await world.query(`select address from pool_wallets where role = 'activate'`))[0]!;
    const hex = toHexAddress(String(activating));
    proxy.after = ({ body }, answer) => ([body['address'], body['owner_address']].includes(hex) ? NONSENSE : answer);
    await until('it cannot be read', async () => {
      clock.advance(60_000);
      await refresh();
      const body = { receiver_address: await world.receiver(false), amount: 1, activate_address: true };
      const code = (await world.delegate(caller, body)).headers.get('x-error-code');
      expect([null, 'NODE_UNAVAILABLE']).toContain(code);
      return code !== null;
    });
  });

  it('has orders answered with an unavailable node when no wallet can be read', async () => {
    proxy.after = ({ route }, answer) => (route.endsWith('/getaccount') ? NONSENSE : answer);
    clock.advance(121_000);
    expect((await order()).headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
  });
});
