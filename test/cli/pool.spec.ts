import { writeFileSync } from 'node:fs';
import { utils } from 'tronweb';
import { PoolAdminService } from '../../src/admin/pool-admin.service';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { ReferenceBlocks } from '../../src/chain/verified-chain/reference-blocks';
import { InvalidValueError } from '../../src/common/errors/domain.error';
import { finding } from '../../src/findings/finding';
import { FindingRepository } from '../../src/findings/finding.repository';
import { delegatedResources } from '../../src/reconciliation/chain/delegated-resources';
import { HeldLock } from '../support/held-lock';
import { type Caller, OrderWorld } from '../support/order-world';
import { SharedCommandLine } from '../support/shared-command-line';

describe('pool:list', () => {
  let world: OrderWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    world = await OrderWorld.open({ env: { ENERGY_MARGIN_PERCENT: '1' } });
    cli = SharedCommandLine.on(world.database.url, {
      TRON_FULL_NODE_URLS: world.chain.url,
      ENERGY_MARGIN_PERCENT: '1',
    });
  });
  afterAll(() => Promise.all([cli.close(), world.close()]));

  it('shows the largest order that a wallet takes now: one transaction more is refused, and all while it is paused', async () => {
    const largest = async () => {
      const wallets = await cli.json<{ name: string; largest_order: number }[]>('pool:list');
      return wallets.find(({ name }) => name === 'pool')!.largest_order;
    };
    const caller = await world.caller({ balance: 100_000 });
    const order = async (amount: number) =>
      world.delegate(caller, { receiver_address: await world.receiver(), amount });
    const most = await largest();
    expect(most).toBeGreaterThan(1);
    await cli.run('pool:pause', 'pool');
    expect(await largest()).toBe(0);
    await cli.run('pool:resume', 'pool');
    expect((await order(most + 1)).headers.get('x-error-code')).toBe('INSUFFICIENT_ENERGY');
    expect((await order(most)).status).toBe(200);
  });
});

describe('pool:resume', () => {
  let world: OrderWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    world = await OrderWorld.open();
    cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
  });
  afterAll(() => Promise.all([cli.close(), world.close()]));

  it('says what speaks against it, and keeps that and the reason in the audit log', async () => {
    const [{ id: walletId }] = (await world.query(`select id from pool_wallets where name = 'pool'`)) as [
      { id: string },
    ];
    const receiver = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
    const about = { type: 'delegated_resource', walletId, wallet: 'pool', receiver } as const;
    const quarantine = async () => {
      const found = finding('delegation_foreign', { lent_sun: '50000000000', most_sun: '0' }, about);
      await world.app.app.get(FindingRepository).seen(found);
      const reconciler = { id: null, service: 'reconciler', address: 'here' } as const;
      await world.app.app.get(PoolAdminService).setWalletState(reconciler, 'pool', 'paused');
    };
    const resume = async (...options: string[]) => {
      const { exitCode, stdout, stderr } = await cli.run('pool:resume', 'pool', '--json', ...options);
      const [entry] = await world.query(`select after from audit_log order by id desc limit 1`);
      return { exitCode, document: JSON.parse(stdout) as object, stderr, entry };
    };
    const document = { name: 'pool', role: 'delegate', state: 'active' };
    const despite = { state: 'active', quarantined: true, despite: [`delegation_foreign pool to ${receiver}`] };

    await quarantine();
    const without = await resume();
    expect(without).toMatchObject({ exitCode: 0, document, entry: { after: despite } });
    for (const part of [
      `Warning: pool: delegation_foreign, pool to ${receiver}: `,
      'the reconciler had paused this wallet',
      'give --reason',
    ])
      expect(without.stderr).toContain(part);

    await quarantine();
    const given = await resume('--reason', 'lent by Ann');
    expect(given).toMatchObject({ exitCode: 0, document, entry: { after: { ...despite, reason: 'lent by Ann' } } });
    expect(given.stderr).not.toContain('give --reason');

    await world.query('update findings set resolved_at = now() where resolved_at is null');
    expect(await resume()).toMatchObject({ exitCode: 0, document, stderr: '', entry: { after: { state: 'active' } } });
  });
});

describe('pool:update and pool:remove', () => {
  let world: OrderWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 300 });
    cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
  });
  afterAll(() => Promise.all([cli.close(), world.close()]));

  const wallet = (name: string) =>
    world.query(`select permission_id, key_source from pool_wallets where name = '${name}'`);
  const lastEntry = async () =>
    (await world.query('select action, outcome, before, after from audit_log order by id desc limit 1'))[0];
  const order = async (caller?: Caller) =>
    world.delegate(caller ?? (await world.caller()), { receiver_address: await world.receiver(), amount: 1 });

  it('change what is given, keep the rest, and warn of what doctor would find', async () => {
    const [before] = await wallet('pool');
    const changed = await cli.run('pool:update', 'pool', '--permission-id', '7', '--json');
    expect(changed).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('the account has no permission 7') as string,
    });
    expect(JSON.parse(changed.stdout)).toEqual({
      name: 'pool',
      address: expect.any(String) as string,
      role: 'delegate',
      state: 'active',
    });
    expect(await wallet('pool')).toEqual([{ permission_id: 7, key_source: before!['key_source'] }]);
    expect(await lastEntry()).toEqual({
      action: 'wallet.update',
      outcome: 'done',
      before: { permission_id: 0 },
      after: { permission_id: 7 },
    });
    const moved = await cli.run('pool:update', 'pool', '--permission-id', '0', '--key-file', world.keyFile('pool'));
    expect(moved).toMatchObject({ exitCode: 0 });
    expect(await wallet('pool')).toEqual([{ permission_id: 0, key_source: `file:${world.keyFile('pool')}` }]);
    expect(JSON.stringify(await lastEntry())).not.toContain(world.keyFile('pool'));
  });

  it('find a wallet whose name was typed with other code points, which no second wallet can have', async () => {
    const [typed, stored] = ['e\u0301te\u0301', '\u00e9t\u00e9'];
    const { address } = utils.accounts.generateAccount();
    const rest = ['--address', address.base58, '--role', 'activate', '--key-file', world.keyFile('pool')];
    expect(await cli.json('pool:add', '--name', typed, ...rest)).toMatchObject({ name: stored });
    expect(await cli.run('pool:add', '--name', stored, ...rest)).toMatchObject({ exitCode: 1 });
    expect(await cli.run('pool:add', '--name', `${stored}\u200b`, ...rest)).toMatchObject({ exitCode: 2 });
    await expect(
      world.app.app.get(PoolWallets).add({
        name: `${stored}\u202e`,
        address: utils.accounts.generateAccount().address.base58,
        role: 'activate',
        keySource: 'env:KEY',
        permissionId: 0,
      }),
    ).rejects.toThrow(InvalidValueError);
    for (const act of [
      ['pool:pause', typed],
      ['pool:resume', typed, '--reason', 'known'],
      ['pool:drain', `${typed} `],
      ['pool:update', typed, '--permission-id', '2'],
      ['pool:remove', typed],
    ])
      expect(await cli.json(...act)).toMatchObject({ name: stored });
  });

  it('leave an account in one role: its activations would spend the TRX that its reclaims need', async () => {
    const add = (name: string, address: string, role: string) =>
      cli.run('pool:add', '--name', name, '--address', address, '--role', role, '--key-file', world.keyFile('pool'));
    const accountOf = (wanted: string) => world.chain.accounts.find(({ role }) => role === wanted)!.address;
    const refused = { exitCode: 1, stderr: expect.stringContaining('already in the pool') as string };
    expect(await add('both', accountOf('pool'), 'activate')).toMatchObject(refused);
    expect(await add('both', accountOf('activate'), 'delegate')).toMatchObject(refused);
    expect(await world.query(`select 1 from pool_wallets where name = 'both'`)).toEqual([]);
  });

  it("warn of another wallet's key, and refuse no change at all and a wallet that is not there", async () => {
    const other = world.keyFile('other');
    writeFileSync(other, utils.accounts.generateAccount().privateKey);
    expect(await cli.run('pool:update', 'pool', '--key-file', other)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('belongs to') as string,
    });
    const { address } = utils.accounts.generateAccount();
    const spare = ['--name', 'odd', '--address', address.base58, '--role', 'activate', '--key-file', other];
    expect(await cli.run('pool:add', ...spare)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('belongs to') as string,
    });
    await cli.json('pool:remove', 'odd');
    await cli.json('pool:update', 'pool', '--key-file', world.keyFile('pool'));
    expect(await cli.run('pool:update', 'pool')).toMatchObject({ exitCode: 2 });
    expect(await cli.run('pool:update', 'nobody', '--permission-id', '2')).toMatchObject({ exitCode: 1 });
    expect(await cli.run('pool:remove', 'nobody')).toMatchObject({ exitCode: 1 });
  });

  it('take no key in the place of its name or file, say nothing of it, and neither does what they call', async () => {
    const key = `a${'0f'.repeat(31)}9`;
    const before = await wallet('pool');
    const { address } = utils.accounts.generateAccount();
    const adding = ['pool:add', '--name', 'keyless', '--address', address.base58, '--role', 'delegate'];
    for (const act of [adding, ['pool:update', 'pool']]) {
      for (const place of [
        ['--key-env', key],
        ['--key-env', `0x${key}`],
        ['--key-env', ''],
        ['--key-file', key],
      ]) {
        const { exitCode, stdout, stderr } = await cli.run(...act, ...place);
        expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining('never the key itself')]);
        expect(stderr).not.toContain(key);
      }
    }
    const [admin, operator] = [world.app.app.get(PoolAdminService), { id: null, address: 'test' }];
    const keyless = { name: 'keyless', address: address.base58, role: 'delegate', permissionId: 0 } as const;
    await expect(admin.addWallet(operator, { ...keyless, keySource: `env:${key}` })).rejects.toThrow(InvalidValueError);
    await expect(admin.updateWallet(operator, 'pool', { keySource: `file:/${key}` })).rejects.toThrow(
      InvalidValueError,
    );
    expect([await wallet('keyless'), await wallet('pool')]).toEqual([[], before]);
    expect(await world.query(`select 1 from audit_log a where a::text like '%${key}%'`)).toEqual([]);
  });

  it('remove a wallet only when nothing of it is out, and give its name and address free', async () => {
    const answer = await order();
    expect(answer.status).toBe(200);
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    expect(await cli.run('pool:remove', 'pool')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('1 open or delegated orders') as string,
    });
    expect(await lastEntry()).toMatchObject({ action: 'wallet.remove', outcome: 'refused' });

    await world.control('clock', { ms: 3_600_000 });
    await world.untilState(id, 'reclaimed');
    await world.query(
      `insert into findings (kind, subject, reason, next_step, wallet_id)
       select kind, 'wallet pool', 'r', 'n', id from pool_wallets, unnest($1::text[]) kind where name = 'pool' returning 1`,
      [['votes_idle', 'signer_unavailable', 'delegation_foreign']],
    );
    // What the wallet lacks ends with it; what was done with it has to be looked at first.
    expect(await cli.run('pool:remove', 'pool')).toMatchObject({ exitCode: 1 });
    await world.query(`update findings set resolved_at = now() where kind = 'delegation_foreign' returning 1`);
    const removed = await cli.run('pool:remove', 'pool', '--json');
    expect(removed).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('no wallet has the role delegate') as string,
    });
    expect(JSON.parse(removed.stdout)).toMatchObject({ name: 'pool', role: 'delegate', state: 'removed' });
    expect(await lastEntry()).toMatchObject({ action: 'wallet.remove', outcome: 'done' });
    expect((await cli.json<{ name: string }[]>('pool:list')).map(({ name }) => name)).toEqual(['activate']);
    expect((await order()).headers.get('x-error-code')).toBe('INSUFFICIENT_ENERGY');
    expect(await cli.json('delegation:show', id)).toMatchObject({ id, state: 'reclaimed' });
    expect(await cli.json('audit')).toMatchObject({ ok: true });

    await world.addWallet('pool');
    // The name is another wallet's now: the removed one stays what it is.
    for (const act of ['pool:pause', 'pool:resume']) await cli.json(act, 'pool');
    const states = `select state, removed_at is null as here from pool_wallets where name = 'pool' order by here`;
    expect(await world.query(states)).toEqual([
      { state: 'draining', here: false },
      { state: 'active', here: true },
    ]);
    // Nor is its address compared any more, or what it lends would pause the new one.
    const { number } = await world.app.app.get(ReferenceBlocks).final();
    const [removedAddress] = await world.query(
      `select address from pool_wallets where removed_at is not null and name = 'pool'`,
    );
    const compared = await delegatedResources(world.app.sql, number);
    expect(compared.map(({ walletAddress }) => walletAddress)).not.toContain(removedAddress!['address']);
    expect((await order()).status).toBe(200);
    expect((await cli.json<unknown[]>('pool:list')).length).toBe(2);
  });

  it('waits for an order that is being written, and is refused then', async () => {
    const caller = await world.caller();
    // The order has the wallet's lock, and waits for its user's row.
    const lock = await HeldLock.take(world.database.url, 'select 1 from users for update');
    const answered = order(caller);
    await lock.untilWaiting(1);
    const removed = world.app.app.get(PoolAdminService).removeWallet({ id: null, address: 'test' }, 'pool');
    await lock.untilWaiting(2);
    await lock.release();
    await expect(removed).rejects.toThrow('open or delegated orders');
    expect((await answered).status).toBe(200);
  });
});
