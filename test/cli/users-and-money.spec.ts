import { existsSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type LocalChain, startLocalChain } from '../../local-chain/src/local-chain';
import { CommandLine } from '../support/command-line';
import { Money } from '../support/money';
import { SharedCommandLine } from '../support/shared-command-line';

/** Nothing listens there. */
const NOWHERE = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing', TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' };
const UUID = /^[0-9a-f-]{36}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/;
const uuid = expect.stringMatching(UUID) as string;
const instant = expect.stringMatching(INSTANT) as string;

describe('the commands for users, tokens and money', () => {
  let chain: LocalChain;
  let money: Money;
  let cli: SharedCommandLine;

  beforeAll(async () => {
    [chain, money] = await Promise.all([startLocalChain({ block: 1_000 }), Money.open()]);
    cli = SharedCommandLine.on(money.databaseUrl, { TRON_FULL_NODE_URLS: chain.url });
  });
  afterEach(() => money.expectConsistent());
  afterAll(() => Promise.all([cli.close(), money.close(), chain.close()]));

  const refusal = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await cli.run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    return stderr.trim();
  };

  /** What the audit log has of it, oldest first. */
  const acts = (subject: string) =>
    money.sql.rows<{ act: string; by: string }>({
      name: '',
      text: `select action || ' ' || outcome as act, coalesce(actor_id::text, address) as by from audit_log
              where subject in ('${subject}', (select 'user ' || id from users where 'user ' || email = '${subject}')) order by id`,
    });
  const byCommandLine = (...names: string[]) =>
    names.map((act) => ({ act, by: `${userInfo().username}@${hostname()}` }));

  it('make users, change them, lock them out and list them with their balances', async () => {
    const ann = { id: uuid, email: 'ann@example.com', name: 'Ann', operator: false, disabled: false };
    expect(await cli.json('user:create', '--email', 'Ann@Example.com', '--name', 'Ann')).toEqual({
      ...ann,
      unit_price: null,
      rate_limit: null,
      low_balance: null,
    });
    expect(await cli.json('user:update', 'ann@example.com', '--rate-limit', '100')).toMatchObject({ operator: false });
    const change = [
      '--name',
      'Anna',
      '--operator',
      '--unit-price',
      '2.25',
      '--rate-limit',
      '120',
      '--low-balance',
      '50',
    ];
    const anna = {
      ...ann,
      name: 'Anna',
      operator: true,
      unit_price: '2.250000',
      rate_limit: 120,
      low_balance: '50.000000',
    };
    expect(await cli.json('user:update', 'ann@example.com', ...change)).toEqual(anna);
    const last = await cli.run('user:disable', 'ann@example.com');
    expect([last.exitCode, last.stderr]).toEqual([
      1,
      'this is the last operator: make another user an operator first, or use --force on the command line\n',
    ]);
    expect(await cli.json('user:disable', 'ann@example.com', '--force')).toEqual({ ...anna, disabled: true });
    expect(await cli.json('user:enable', 'ann@example.com')).toEqual(anna);
    const back = ['--not-operator', '--unit-price', 'default', '--rate-limit', 'default', '--low-balance', 'none'];
    const plain = { ...anna, operator: false, unit_price: null, rate_limit: null, low_balance: null };
    expect(await cli.run('user:update', 'ann@example.com', ...back)).toMatchObject({ exitCode: 1 });
    expect(await cli.json('user:update', 'ann@example.com', ...back, '--force')).toEqual(plain);
    await cli.json('balance:credit', '--user', 'ann@example.com', '--amount', '7.5', '--note', 'top-up');
    expect(await cli.json('user:list')).toEqual([{ ...plain, balance: '7.500000' }]);
    const settings = ['user.settings done', 'user.settings done'];
    const switched = [
      'user.disable refused',
      'user.disable done',
      'user.enable done',
      'user.settings refused',
      'user.settings done',
      'balance.credit done',
    ];
    expect(await acts('user ann@example.com')).toEqual(byCommandLine('user.create done', ...settings, ...switched));
    const priced = await cli.run('user:update', 'ann@example.com', '--unit-price', '2.25', '--json');
    expect(JSON.parse(priced.stdout)).toMatchObject({ unit_price: '2.250000' });
    expect(priced.stderr).toBe('Warning: --unit-price has no effect under variant A: 3 TRX a transaction\n');
    const { stdout } = await cli.run('user:list', '--limit', '1');
    expect(stdout).toMatch(
      /^id +email +name +operator +unit_price +rate_limit +low_balance +disabled +balance\n[^\n]+\n$/,
    );
  });

  it('let an operator in again who has lost the second factor, and end the sessions', async () => {
    await cli.json('user:create', '--email', 'lost@example.com', '--name', 'Lost', '--operator');
    const put = `insert into second_factors (user_id, secret, last_step) select id, 'plain.AA==', 0 from users where email = 'lost@example.com'`;
    await money.sql.execute({ name: '', text: put });
    const left = `select u.session_epoch as epoch, (select count(*)::integer from second_factors f where f.user_id = u.id) as factors
                    from users u where u.email = 'lost@example.com'`;
    expect(await cli.json('user:reset-second-factor', 'Lost@example.com')).toEqual({
      email: 'lost@example.com',
      second_factor: false,
    });
    expect(await money.sql.rows({ name: '', text: left })).toEqual([{ epoch: 1, factors: 0 }]);
    expect(await refusal('user:reset-second-factor', 'lost@example.com')).toBe('lost@example.com has no second factor');
    expect((await acts('user lost@example.com')).slice(1)).toEqual(
      byCommandLine('second-factor.remove done', 'second-factor.remove refused'),
    );
  });

  it('make a token once visible, list tokens without it and revoke them', async () => {
    await cli.json('user:create', '--email', 'tom@example.com', '--name', 'Tom');
    const create = ['token:create', '--user', 'tom@example.com', '--name', 'shop', '--permissions', 'delegate,balance'];
    const made = await cli.json<Record<string, string>>(...create, '--expires-in-days', '30');
    expect(made).toEqual({
      id: uuid,
      token: expect.stringMatching(/^[\w-]{40,}$/) as string,
      prefix: expect.any(String) as string,
      permissions: ['delegate', 'balance'],
      expires_at: instant,
    });
    expect(made['token']!.startsWith(made['prefix']!)).toBe(true);
    expect((await cli.run(...create)).stdout).toMatch(/^[\w-]{40,}\n$/);
    const row = {
      id: made['id'],
      name: 'shop',
      prefix: made['prefix'],
      permissions: ['delegate', 'balance'],
      created_at: instant,
      last_used_at: null,
      expires_at: made['expires_at'],
      revoked_at: null,
      daily_limit: null,
      max_cost: null,
      receivers: null,
      ips: null,
    };
    expect((await cli.json<object[]>('token:list', '--user', 'tom@example.com'))[1]).toEqual(row);
    expect(await cli.json('token:revoke', made['id']!)).toEqual([{ ...row, revoked_at: instant }]);
    const tokens = ['token.create done', 'token.create done', 'token.revoke done'];
    expect(await acts('user tom@example.com')).toEqual(byCommandLine('user.create done', ...tokens));
  });

  it('limit what a token may spend, on whom and from where, change what is given and keep the rest', async () => {
    await cli.json('user:create', '--email', 'lim@example.com', '--name', 'Lim');
    const [one, two] = ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'];
    const create = ['token:create', '--user', 'lim@example.com', '--name', 'till', '--permissions', 'delegate'];
    const limits = ['--daily-limit', '100', '--max-cost', '3.000001', '--receivers', `${one}, ${two},${one}`];
    const { id } = await cli.json<{ id: string }>(...create, ...limits, '--ips', '10.1.2.3,2001:DB8::/32');
    const shown = { daily_limit: '100.000000', max_cost: '3.000001', receivers: [one, two] };
    const list = () => cli.json<object[]>('token:list', '--user', 'lim@example.com');
    expect(await list()).toMatchObject([{ id, ...shown, ips: ['10.1.2.3/32', '2001:db8::/32'] }]);
    const changed = { ...shown, daily_limit: '0.000000', max_cost: null, ips: ['0.0.0.0/0'] };
    const change = ['--daily-limit', '0', '--max-cost', 'none', '--ips', '0.0.0.0/0'];
    expect(await cli.json('token:update', id, ...change)).toMatchObject({ id, name: 'till', ...changed });
    const lifted = { daily_limit: null, max_cost: null, receivers: null, ips: null };
    const lift = ['--daily-limit', 'none', '--receivers', 'none', '--ips', 'none'];
    expect(await cli.json('token:update', id, ...lift)).toMatchObject(lifted);
    expect(await list()).toMatchObject([{ id, ...lifted }]);
    expect(await acts('user lim@example.com')).toEqual(
      byCommandLine('user.create done', 'token.create done', 'token.limits done', 'token.limits done'),
    );
    const facts = await money.sql.rows<{ before: object; after: object }>({
      name: '',
      text: `select before, after from audit_log where action = 'token.limits' order by id limit 1`,
    });
    expect(facts).toMatchObject([{ before: { id, ...shown }, after: { id, ...changed } }]);
    expect(await refusal('token:update', crypto.randomUUID(), '--max-cost', '1')).toContain('unknown token');
  });

  it.each([
    ['--daily-limit', '-1'],
    ['--daily-limit', '1.0000001'],
    ['--max-cost', '1e3'],
    ['--max-cost', ''],
    ['--receivers', 'T123'],
    ['--receivers', ' , '],
    ['--ips', '10.0.0.0/33'],
    ['--ips', 'localhost'],
    ['--ips', ''],
  ])('take %s %j for wrong usage', async (flag, value) => {
    const { exitCode, stdout, stderr } = await cli.run('token:update', crypto.randomUUID(), flag, value);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  it('credit and debit once for a reference, and show balance and ledger', async () => {
    const { id: userId } = await cli.json<{ id: string }>('user:create', '--email', 'max@example.com', '--name', 'Max');
    const user = ['--user', 'max@example.com'];
    const credit = ['balance:credit', ...user, '--amount', '100', '--note', 'invoice 7', '--reference', 'i-7'];
    expect(await cli.json(...credit)).toEqual({ balance: '100.000000' });
    const again = await cli.run(...credit, '--json');
    expect(JSON.parse(again.stdout)).toEqual({ balance: '100.000000' });
    expect(again.stderr).toMatch(/^Warning: this reference was already booked at [0-9T:.-]+Z; no money was moved\n$/);
    const debit = ['balance:debit', ...user, '--amount', '0.000001', '--note', 'a sun'];
    expect(await cli.json(...debit)).toEqual({ balance: '99.999999' });
    await money.orders.place(userId, '2', true);
    const shown = { balance: '99.999999', held: '7.500000', available: '92.499999', updated_at: instant };
    expect(await cli.json('balance:show', ...user)).toEqual(shown);
    const entries = await cli.json<object[]>('ledger:list', ...user);
    expect(entries).toMatchObject([
      { kind: 'debit', amount: '-0.000001', balance: '99.999999', delegation_id: null, note: 'a sun' },
      { kind: 'credit', amount: '100.000000', balance: '100.000000', delegation_id: null, note: 'invoice 7' },
    ]);
    expect(entries[0]).toEqual(expect.objectContaining({ id: expect.stringMatching(/^\d+$/) as string, at: instant }));
    expect(await refusal('balance:debit', ...user, '--amount', '92.5', '--note', 'x')).toContain(
      'insufficient balance',
    );
    expect(await refusal(...credit.map((arg) => (arg === '100' ? '99' : arg)))).toContain('"i-7" was already used');
    const moved = ['balance.credit done', 'balance.credit done', 'balance.debit done'];
    const refused = ['balance.debit refused', 'balance.credit refused'];
    expect(await acts('user max@example.com')).toEqual(byCommandLine('user.create done', ...moved, ...refused));
  });

  it('give a quota, list it and end it', async () => {
    const { id: userId } = await cli.json<{ id: string }>('user:create', '--email', 'sue@example.com', '--name', 'Sue');
    const user = ['--user', 'sue@example.com'];
    const made = await cli.json<object>('subscription:create', ...user, '--transactions', '100', '--days', '30');
    expect(made).toEqual({
      id: uuid,
      transactions: 100,
      used: 0,
      held: 0,
      valid_from: instant,
      valid_until: instant,
      reference: expect.stringMatching(/^made [0-9a-f-]{36}$/) as string,
      price: null,
      paid_by: null,
    });
    const { valid_from: from, valid_until: until, id } = made as Record<string, string>;
    expect(Date.parse(until!) - Date.parse(from!)).toBe(30 * 86_400_000);
    const [taken] = [await money.orders.place(userId, '1.5'), await money.orders.place(userId, '2')];
    await money.orders.land(taken.id);
    expect(await cli.json('subscription:list', ...user)).toEqual([{ ...made, used: 1.5, held: 2 }]);
    const ended = await cli.json<{ valid_until: string }>('subscription:end', id!);
    expect(ended).toEqual({ ...made, used: 1.5, held: 2, valid_until: instant });
    expect(Date.parse(ended.valid_until)).toBeLessThanOrEqual(Date.now());
  });

  it('refuse with exit code 1 and one line what cannot be done', async () => {
    await cli.json('user:create', '--email', 'eve@example.com', '--name', 'Eve');
    const nobody = ['--user', 'nobody@example.com'];
    expect(await refusal('balance:show', ...nobody)).toContain('nobody@example.com');
    expect(await refusal('user:create', '--email', 'eve@example.com', '--name', 'E')).toContain('already');
    expect(await refusal('subscription:end', crypto.randomUUID())).toContain('unknown subscription');
    const quota = ['--user', 'eve@example.com', '--transactions', '1', '--days', '1', '--json'];
    const withoutNode = { ...cli.env, TRON_FULL_NODE_URLS: NOWHERE.TRON_FULL_NODE_URLS };
    const { exitCode, stderr } = await cli.runWith(withoutNode, 'subscription:create', ...quota);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('no node shows the time of the chain')]);
    expect(await cli.json('subscription:list', '--user', 'eve@example.com')).toEqual([]);
  });

  it.each([
    [['token:create', '--user', 'eve@example.com', '--name', 'x', '--permissions', 'delegate,everything']],
    [['balance:show']],
    [['balance:credit', '--user', 'a@example.com', '--amount', '1e3', '--note', 'x']],
    [['balance:credit', '--user', 'a@example.com', '--amount', '1000000000000', '--note', 'x']],
    [['balance:credit', '--user', 'a@example.com', '--amount', '1', '--note', 'x', '--amount', '2']],
    [['balance:credit', '--user', 'a@example.com', '--amount', '1', '--note', 'x', '--amount=1']],
    [['balance:credit', '--user', 'a@example.com', '--amount', '1', '--note', 'x', '--json', '--json']],
    [['balance:credit', '--user', 'a@example.com', '--amount', '1', '--note', 'x', '--user', 'b@example.com']],
    [['delegation:list', '--limit', '1', '--limit', '2']],
    [['balance:credit', '--user', 'a@example.com', '--amount', '1', '--note', 'x'.repeat(501)]],
    [['balance:credit', '--user', 'a@example.com', '--amount', '1', '--note', 'x', '--reference', '𝕏'.repeat(201)]],
    [['balance:credit', '--user', 'a@example.com', '--amount', '1', '--note', 'x', '--reference', '']],
    [['token:create', '--user', 'a@example.com', '--name', '𝕏'.repeat(101), '--permissions', 'balance']],
    [['user:update', 'one@example.com', 'two@example.com']],
    [['no:such:command']],
    [['user:create', '--email', 'notmail', '--name', 'No Mail']],
    [['user:create', '--email', 'nobody@example.com', '--name', '']],
    [['user:update', 'eve@example.com', '--unit-price', '1.99']],
    [['user:update', 'eve@example.com', '--operator', '--not-operator']],
    [['pool:add', '--name', 'main', '--address', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', '--role', 'delegate']],
    [['pool:update', 'main']],
    [['pool:update', 'main', '--key-env', 'KEY', '--key-file', 'key']],
    [['pool:remove']],
  ])('end with exit code 2 on wrong usage, before any database is opened: %j', async (args) => {
    const { exitCode, stdout, stderr } = await cli.runWith(NOWHERE, ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('PostgreSQL');
  });

  it('say the same in a process of their own: exit code, one document, one line', async () => {
    const alone = CommandLine.on(money.databaseUrl);
    expect(await alone.json('user:list')).toEqual(await cli.json('user:list'));
    const nobody = ['balance:show', '--user', 'nobody@example.com'];
    const { stdout, stderr, exitCode } = await alone.run(...nobody);
    expect({ exitCode, stdout, stderr }).toEqual(await cli.run(...nobody));
    expect(exitCode).toBe(1);
    for (const args of [['balance:show'], ['user:create', '--help']])
      expect(await alone.run(...args)).toEqual(await cli.run(...args));
  });

  it('list their options without a database, and make none', async () => {
    const dataDir = join(tmpdir(), `no-data-${process.pid}`);
    for (const args of [['--help'], ['user:create', '--help'], ['doctor', '--help']]) {
      const { exitCode, stdout } = await cli.runWith({ DATA_DIR: dataDir }, ...args);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Usage: ')]);
    }
    expect(existsSync(dataDir)).toBe(false);
  });
});
