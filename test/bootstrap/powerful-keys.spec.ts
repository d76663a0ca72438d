import { writeFileSync } from 'node:fs';
import { utils } from 'tronweb';
import { OrderWorld } from '../support/order-world';
import { allowOperations, BROAD, LENDING, setActives, TRANSFER_TOO } from '../support/restricted-key';
import { ServiceChild } from '../support/service-child';

describe('a start with a key that may do more than lend and take back', () => {
  let world: OrderWorld;
  const hot = utils.accounts.generateAccount();
  const hotKey = hot.privateKey.replace(/^0x/, '');
  beforeAll(async () => {
    world = await OrderWorld.open({ backgroundWork: false });
    await world.query(`delete from pool_wallets where name = 'activate' returning 1`);
  });
  afterAll(() => world.close());

  const ownerKey = () => world.chain.accounts.find(({ role }) => role === 'pool')!.private_key;
  const settings = (env: Record<string, string>) => ({
    DATABASE_URL: world.database.url,
    TRON_FULL_NODE_URLS: world.chain.url,
    LOG_LEVEL: 'warn',
    ...env,
  });
  const started = (env: Record<string, string>) => new ServiceChild(settings(env));

  it('is refused where that is asked for, with the wallet named and the key not, and serves nothing', async () => {
    const { code, stdout, stderr } = await started({ POWERFUL_KEYS: 'refuse' }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('wallet pool: it is the owner key, which can move everything');
    expect(stdout).not.toContain('API ');
    expect(stdout + stderr).not.toContain(ownerKey());
    // No node can tell what the key may do.
    const unread = await started({ POWERFUL_KEYS: 'refuse', TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' }).ended;
    expect([unread.code, unread.stderr]).toEqual([1, expect.stringContaining('wallet pool: ')]);
  });

  it('goes on by itself, with a warning', async () => {
    const child = started({});
    await child.ready();
    await child.waitFor(/wallet pool: it is the owner key/);
    expect((await child.stop('SIGTERM')).code).toBe(0);
  });

  it('goes by all that the key may do, and not by the permission that the wallet names', async () => {
    const { address } = world.chain.accounts.find(({ role }) => role === 'pool')!;
    await world.query(`update pool_wallets set permission_id = 2 returning 1`);
    await allowOperations(world, LENDING, address);
    const owner = await started({ POWERFUL_KEYS: 'refuse' }).ended;
    expect([owner.code, owner.stderr]).toEqual([1, expect.stringContaining('wallet pool: it is the owner key')]);
    const hotAddress = hot.address.base58;
    writeFileSync(world.keyFile('pool'), hotKey);
    const both = [LENDING, BROAD].map((operations) => ({ operations, key: hotAddress }));
    await setActives(world, both);
    const child = started({});
    await child.ready();
    const said = await child.waitFor(/wallet pool: permission 3, where the key is too, also allows operation .*/);
    expect(said[0]).not.toContain(hotKey);
    await child.stop('SIGTERM');
  });

  it('goes by the operations of the permission', async () => {
    writeFileSync(world.keyFile('pool'), hotKey);
    await world.query(`update pool_wallets set permission_id = 2 returning 1`);
    await allowOperations(world, TRANSFER_TOO, hot.address.base58);
    const { code, stderr } = await started({ POWERFUL_KEYS: 'refuse' }).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('permission 2 also allows operation 1')]);
    await allowOperations(world, LENDING, hot.address.base58);
    const child = started({ POWERFUL_KEYS: 'refuse' });
    await child.ready();
    const ended = await child.stop('SIGTERM');
    expect([ended.code, ended.stdout]).toEqual([0, expect.not.stringContaining('wallet pool')]);
  });
});
