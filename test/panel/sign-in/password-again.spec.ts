import { BalanceService } from '../../../src/balance/balance.service';
import { PoolWallets } from '../../../src/chain/pool/wallets/pool-wallets';
import { finding } from '../../../src/findings/finding';
import { FindingRepository } from '../../../src/findings/finding.repository';
import { UserService } from '../../../src/users/user.service';
import { heldIn, PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { giveSecondFactor } from '../../support/second-factor';
import { createTestApp, type TestApp } from '../../support/test-app';

const QUESTION = 'Confirm your password';
const WALLETS = '/panel/operator/wallets';
const WALLET = { address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', key_kind: 'env', key: 'POOL_KEY', permission_id: '2' };

describe('what takes more than an open browser', () => {
  let service: TestApp;
  let operator: PanelUserLogin;
  let client: PanelClient;
  let user: PanelUserLogin;
  let page: string;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    operator = await insertPanelUser(service, { operator: true });
    user = await insertPanelUser(service, { balance: 10 });
    page = `/panel/operator/users/${user.id}`;
    client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
    await age(operator);
  });

  /** The password was given ten minutes ago. */
  const age = ({ id }: PanelUserLogin) =>
    service.sql.execute(
      { name: '', text: `update sessions set password_at = now() - interval '10 minutes' where user_id = $1` },
      [id],
    );
  const record = async () => (await service.app.get(UserService).find({ id: user.id }))!;
  /** The only one. */
  async function wallet(): Promise<string> {
    const found = async () => service.sql.row<{ id: string }>({ name: '', text: 'select id from pool_wallets' });
    if (!(await found())) {
      const { key_kind: _kind, key, permission_id: permissionId, address } = WALLET;
      const added = {
        name: 'first',
        address,
        role: 'activate',
        keySource: `env:${key}`,
        permissionId: Number(permissionId),
      } as const;
      await service.app.get(PoolWallets).add(added);
    }
    return (await found())!.id;
  }
  const movement = { kind: 'credit', amount: '5', note: 'invoice "7" & <b>', step: 'book' };

  it('comes back with a field for the password, and goes on from there with all that was in it', async () => {
    const asked = await client.fillIn(`${page}/money`, `${page}/movements`, movement);
    expect(asked.status).toBe(403);
    expect(asked.text).toContain(QUESTION);
    expect((await service.app.get(BalanceService).getBalance(user.id)).balanceSun).toBe(10_000_000n);
    const held = heldIn(asked.text, `${page}/movements`)!;
    expect(held).toMatchObject({ kind: 'credit', amount: '5', step: 'book' });
    const wrong = await client.post(`${page}/movements`, { ...held, note: movement.note, password_again: 'wrong' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('The password is wrong.');
    expect(wrong.text).not.toContain('value="wrong"');
    const right = { ...held, note: movement.note, password_again: operator.password };
    expect((await client.post(`${page}/movements`, right)).location).toBe(`${page}/money`);
    expect((await client.post(`${page}/movements`, right)).location).toBe(`${page}/money`);
    expect((await service.app.get(BalanceService).getBalance(user.id)).balanceSun).toBe(15_000_000n);
    // Once is enough for ten minutes.
    expect((await client.fillIn(`${page}/money`, `${page}/movements`, movement)).location).toBe(`${page}/money`);
  });

  const acts: Record<string, () => Promise<{ status: number; text: string }>> = {
    'a subscription': () =>
      client.fillIn(`${page}/subscriptions`, `${page}/subscriptions`, { transactions: '5', days: '1' }),
    'a finding that is acknowledged': async () => {
      const short = finding('shortage', { shortage_sun: '7', stake_sun: '9' }, { type: 'delegation', id: user.id }, 7n);
      const { id } = (await service.app.get(FindingRepository).seen(short))!;
      const path = `/panel/operator/findings/${id}/acknowledge`;
      return client.fillIn(path, path, { note: 'the old key' });
    },
    'a reset link': () => client.submit(`${page}/access`, `${page}/invitation`),
    'a promotion': () => client.fillIn(`${page}/access`, page, { operator: 'yes' }),
    'a new user, with a link': () =>
      client.submit('/panel/operator/users/new', '/panel/operator/users/new', {
        email: 'new@example.com',
        name: 'New',
      }),
    'a user who comes back, with role and tokens': async () => {
      await service.app.get(UserService).disable(user.email);
      return client.submit(`${page}/access`, `${page}/state`, { state: 'enabled' });
    },
    'a user who comes back, by a form without a state': async () => {
      await service.app.get(UserService).disable(user.email);
      return client.submit(`${page}/access`, `${page}/state`, { state: '' });
    },
    'a new operator': () =>
      client.submit('/panel/operator/users/new', '/panel/operator/users/new', {
        email: 'new@example.com',
        name: 'New',
        operator: 'yes',
      }),
    'a new operator, said to be one already': () =>
      client.submit('/panel/operator/users/new', '/panel/operator/users/new', {
        email: 'new@example.com',
        name: 'New',
        operator: 'yes',
        shown_operator: 'yes',
      }),
    'a price': () => client.fillIn(`${page}/access`, page, { unit_price: '0.1' }),
    'a limit': () => client.fillIn(`${page}/access`, page, { rate_limit: '100000' }),
    'the end of somebody as operator': async () => {
      const other = await insertPanelUser(service, { operator: true });
      const path = `/panel/operator/users/${other.id}`;
      return client.post(path, { ...heldIn((await client.get(`${path}/access`)).text, path), operator: '' });
    },
    'the switch of orders': () => client.fillIn(`${WALLETS}/orders`, `${WALLETS}/orders`, { orders: 'pause' }),
    'the switch of reclaims': () => client.fillIn(`${WALLETS}/reclaims`, `${WALLETS}/reclaims`, { reclaims: 'pause' }),
    'a wallet, which is a key': () =>
      client.submit(`${WALLETS}/new`, `${WALLETS}/new`, { ...WALLET, name: 'second', role: 'delegate' }),
    'the resuming of a wallet': async () => {
      await wallet();
      return client.submit(`${WALLETS}/resume?name=first`, `${WALLETS}/resume`, { name: 'first', reason: 'known' });
    },
    'the key of a wallet': async () => {
      const path = `${WALLETS}/${await wallet()}`;
      return client.submit(path, path, { key_kind: 'env', key: 'POOL_KEY_2', permission_id: '3' });
    },
    'the removal of a wallet': async () => {
      const path = `${WALLETS}/${await wallet()}/remove`;
      return client.submit(path, path);
    },
    'the reset of a second factor': () => client.submit(`${page}/second-factor`, `${page}/second-factor`),
    'a second factor of one’s own': () =>
      client.submit('/panel/account/second-factor', '/panel/account/second-factor/begin'),
  };

  it.each(Object.keys(acts))('%s is one of them, and nothing is done before', async (act) => {
    const rows = async () => {
      const text = `select (select count(*) from subscriptions) as subscriptions, (select count(*) from invitations) as invitations,
                           (select count(*) from order_switch where paused_at is not null) as paused,
                           (select string_agg(key_source || permission_id || (removed_at is null), ',' order by id) from pool_wallets) as keys,
                           (select count(*) from audit_log where action not in ('sign-in', 'sign-in.failed')) as acts`;
      return service.sql.row<Record<string, unknown>>({ name: '', text });
    };
    await wallet();
    await giveSecondFactor(service, user);
    const before = await rows();
    const answer = await acts[act]!();
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(QUESTION);
    expect(await rows()).toEqual(before);
    expect((await record()).rateLimitPerMinute).toBeNull();
    expect((await record()).operator).toBe(false);
  });

  it('is not asked for what changes nothing of that', async () => {
    expect((await client.fillIn(`${page}/access`, page, { name: 'Another name' })).location).toBe(`${page}/access`);
    expect((await client.fillIn(`${page}/money`, `${page}/movements`, { ...movement, step: '' })).status).toBe(200);
    const disabled = await client.submit(`${page}/disable`, `${page}/state`, { state: 'disabled' });
    expect(disabled.location).toBe(`${page}/access`);
    expect((await record()).disabledAt).not.toBeNull();
  });

  it('does not send a key back that was typed in the place of its name', async () => {
    const key = 'c0ffee'.padEnd(64, '7');
    const path = `${WALLETS}/${await wallet()}`;
    for (const form of [path, `${WALLETS}/new`]) {
      const refused = await client.submit(form, form, { ...WALLET, name: 'typed', role: 'delegate', key });
      expect([refused.status, refused.text.includes(key)]).toEqual([422, false]);
    }
  });

  it('is limited like signing in, and each wrong password has its entry', async () => {
    const statuses = [];
    for (let n = 0; n < 6; n++) {
      const form = { ...movement, password_again: 'wrong' };
      statuses.push((await client.fillIn(`${page}/money`, `${page}/movements`, form)).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });

  it('is not shown what another site has sent', async () => {
    const foreign = new PanelClient(service.url, { 'Sec-Fetch-Site': 'cross-site' });
    for (const [name, value] of client.cookies) foreign.cookies.set(name, value);
    const answer = await foreign.post(`${page}/movements`, movement);
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain(QUESTION);
  });
});
