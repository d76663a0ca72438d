import { writeFileSync } from 'node:fs';
import { utils } from 'tronweb';
import { PoolAdminService } from '../../../../src/admin/pool-admin.service';
import { KeyPower } from '../../../../src/chain/pool/doctor/key-power';
import { ChooseWallet } from '../../../../src/chain/pool/wallets/choose-wallet';
import { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import { ServiceError } from '../../../../src/common/errors/service.error';
import { type Caller, OrderWorld } from '../../../support/order-world';
import { LENDING, setActives, TRANSFER_ALONE, TRANSFER_TOO } from '../../../support/restricted-key';
import { until } from '../../../support/until';

describe('with POWERFUL_KEYS=refuse, a service that runs', () => {
  let world: OrderWorld;
  let caller: Caller;
  const hot = utils.accounts.generateAccount();
  const hotKey = hot.privateKey.replace(/^0x/, '');
  const hotAddress = hot.address.base58;

  beforeAll(async () => {
    world = await OrderWorld.open({ block: 300, env: { POWERFUL_KEYS: 'refuse', RECONCILE_EVERY: '1s' } });
    caller = await world.caller({ balance: 1_000 });
  });
  afterAll(() => world.close());

  const order = async (body: Record<string, unknown> = {}) =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1, ...body });
  const activate = async () => order({ receiver_address: await world.receiver(false), activate_address: true });
  const signed = () => world.query('select 1 from chain_transactions');
  const power = () => world.app.app.get(KeyPower);
  const keyOf = (name: string, permissionId: number) =>
    world.app.app.get(PoolAdminService).updateWallet({ id: null, address: 'test' }, name, { permissionId });
  const find = async (name: string) =>
    (await world.app.app.get(PoolWallets).list()).find((wallet) => wallet.name === name)!;
  const refused = async () => {
    const { status, headers } = await order();
    return status === 500 && headers.get('x-error-code') === 'INTERNAL';
  };
  /** The regular look, whose time has come. */
  const untilLooked = (what: string, isSo: () => Promise<boolean>) =>
    until(what, async () => {
      await power().watch();
      return isSo();
    });

  it('would not start with an activation wallet’s owner key either, although none lends', async () => {
    await world.query(`update pool_wallets set state = 'draining', removed_at = now() where name = 'pool' returning 1`);
    await expect(power().refuseIfAsked()).rejects.toThrow('wallet activate: it is the owner key');
    await world.query(`update pool_wallets set state = 'active', removed_at = null where name = 'pool' returning 1`);
  });

  it('signs nothing with the owner key, which no start has seen', async () => {
    // Before the wallets are read there is another refusal.
    await until('a refusal', refused);
    expect(await signed()).toEqual([]);
    expect(await world.query(`select 1 from holds where state = 'held'`)).toEqual([]);
    expect((await activate()).status).toBe(500);
    expect(await signed()).toEqual([]);
  });

  it('judges a key before its first use, and not by what it cannot read', async () => {
    await setActives(world, [{ operations: LENDING, key: hotAddress }]);
    await keyOf('pool', 2);
    writeFileSync(world.keyFile('pool'), hotKey);
    await world.control('fault', { route: 'wallet/getaccount', kind: '500', count: 1 });
    await power().judge(await find('pool'));
    expect(power().isUnjudged(await find('pool'))).toBe(true);
    await until('an order with the new key', async () => (await order()).status === 200);
  });

  it('takes no order once the chain allows the key more, until it does not; what is lent comes back', async () => {
    const { headers } = await until('an order', async () => {
      const answer = await order();
      return answer.status === 200 && answer;
    });
    const id = headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    await setActives(world, [{ operations: TRANSFER_TOO, key: hotAddress }]);
    await untilLooked('a refusal', refused);
    await world.control('clock', { ms: 3_600_000 });
    await world.untilReclaimed(id);
    await until('a refusal', refused);
    await setActives(world, [{ operations: LENDING, key: hotAddress }]);
    await untilLooked('an order again', async () => (await order()).status === 200);
  });

  it('judges another key in the same file, and an activation wallet’s', async () => {
    const owner = world.chain.accounts.find(({ role }) => role === 'pool')!;
    await setActives(world, [{ operations: LENDING, key: owner.address }]);
    writeFileSync(world.keyFile('pool'), owner.private_key);
    await until('a refusal', refused);
    writeFileSync(world.keyFile('pool'), hotKey);
    await setActives(world, [{ operations: LENDING, key: hotAddress }]);
    await untilLooked('an order again', async () => (await order()).status === 200);
    const unavailable = async () => (await activate()).headers.get('x-error-code') === 'ACTIVATION_UNAVAILABLE';
    await until('a refused activation', unavailable);
    await setActives(world, [{ operations: TRANSFER_ALONE, key: hotAddress }], 'activate');
    await keyOf('activate', 2);
    writeFileSync(world.keyFile('activate'), hotKey);
    await until('an activation', async () => (await activate()).status === 200);
  });

  it('has an order wait for the verdict on an activation wallet’s key', async () => {
    jest.spyOn(power(), 'watch').mockResolvedValue();
    const may = { operations: TRANSFER_ALONE, key: hotAddress };
    await setActives(world, [may, may], 'activate');
    await keyOf('activate', 3);
    expect((await activate()).status).toBe(200);
  });

  it('has it wait for that verdict also after it has looked for stake', async () => {
    jest.spyOn(power(), 'watch').mockResolvedValue();
    const may = { operations: TRANSFER_ALONE, key: hotAddress };
    await setActives(world, [may, may, may], 'activate');
    await keyOf('activate', 4);
    const chooseWallet = world.app.app.get(ChooseWallet);
    const noneYet = new ServiceError('INSUFFICIENT_ENERGY', 'the stake comes with the next look');
    jest.spyOn(chooseWallet, 'delegating').mockRejectedValueOnce(noneYet);
    expect((await activate()).status).toBe(200);
  });
});
