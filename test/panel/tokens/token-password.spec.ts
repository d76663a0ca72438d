import { type TokenLimits, widens } from '../../../src/auth/tokens/token-limits';
import { TokenListRepository } from '../../../src/auth/tokens/token-list.repository';
import { heldIn, PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

const [ONE, TWO] = ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'];
const QUESTION = 'Confirm your password';
const NEW = '/panel/tokens/new';

describe('the tokens of a browser that was found open', () => {
  let service: TestApp;
  let user: PanelUserLogin;
  let client: PanelClient;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service?.close());
  beforeEach(async () => {
    user = await insertPanelUser(service);
    client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
    await age();
  });

  const run = (text: string, values: unknown[] = [user.id]) => service.sql.execute({ name: '', text }, values);
  /** The password was given ten minutes ago. */
  const age = () => run(`update sessions set password_at = now() - interval '10 minutes' where user_id = $1`);
  const tokens = () => service.app.get(TokenListRepository).page(user.id);
  const entries = () =>
    service.sql.rows<
      unknown[],
      { action: string; subject: string; outcome: string; before: object | null; after: object | null }
    >(
      {
        name: '',
        text: `select action, subject, outcome, before, after from audit_log where actor_id = $1 and action like 'token.%' order by id`,
      },
      [user.id],
    );

  it('spend nothing: a new one that may order takes the password, and is entered in the audit log without its value', async () => {
    const asked = await client.fillIn(NEW, NEW, {
      name: 'till',
      permissions: ['balance', 'delegate'],
      daily_limit: '5',
    });
    expect([asked.status, asked.text.includes(QUESTION)]).toEqual([403, true]);
    expect(await tokens()).toEqual([]);
    const again = { ...heldIn(asked.text, NEW)!, permissions: ['balance', 'delegate'], password_again: user.password };
    const made = await client.post(NEW, again);
    expect(made.status).toBe(200);
    const [token] = await tokens();
    expect(token).toMatchObject({ name: 'till', permissions: ['delegate', 'balance'], dailyLimitSun: 5_000_000n });
    const value = /eds_[\w-]{49}/.exec(made.text)![0];
    const [entry, ...more] = await entries();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: 'token.create',
      subject: `user ${user.id}`,
      outcome: 'done',
      after: { id: token!.id, prefix: token!.prefix, daily_limit: '5.000000' },
    });
    expect(JSON.stringify(entry)).not.toContain(value);
  });

  it('may be made to read a balance, and be limited further, without it', async () => {
    await client.fillIn(NEW, NEW, {
      name: 'books',
      permissions: 'balance',
      daily_limit: '5',
      receivers: `${ONE} ${TWO}`,
    });
    const [token] = await tokens();
    const page = `/panel/tokens/${token!.id}`;
    const narrower = { daily_limit: '4', max_cost: '1', receivers: ONE, ips: '192.0.2.1' };
    expect((await client.fillIn(page, `${page}/limits`, narrower)).status).toBe(303);
    const asked = await client.fillIn(page, `${page}/limits`, { ...narrower, daily_limit: '4.000001' });
    expect([asked.status, asked.text.includes(QUESTION)]).toEqual([403, true]);
    expect((await tokens())[0]).toMatchObject({ dailyLimitSun: 4_000_000n, receivers: [ONE] });
    const held = heldIn(asked.text, `${page}/limits`)!;
    const wrong = await client.post(`${page}/limits`, { ...held, password_again: 'wrong' });
    expect(wrong.status).toBe(422);
    const right = await client.post(`${page}/limits`, { ...held, password_again: user.password });
    expect(right.status).toBe(303);
    expect((await tokens())[0]).toMatchObject({ dailyLimitSun: 4_000_001n });
    expect((await entries()).map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'token.create done',
      'token.limits done',
      'token.limits done',
    ]);
    expect((await entries()).at(-1)).toMatchObject({
      before: { daily_limit: '4.000000' },
      after: { daily_limit: '4.000001' },
    });
  });

  it('take the password for more than the form showed, though as much was allowed until then', async () => {
    await client.fillIn(NEW, NEW, { name: 'books', permissions: 'balance', daily_limit: '5' });
    const [token] = await tokens();
    const page = `/panel/tokens/${token!.id}`;
    const opened = heldIn((await client.get(page)).text, `${page}/limits`)!;
    await run(`update api_tokens set daily_limit_sun = null where user_id = $1`);
    const asked = await client.post(`${page}/limits`, { ...opened, daily_limit: '6' });
    expect([asked.status, asked.text.includes(QUESTION)]).toEqual([403, true]);
  });

  const FEW: TokenLimits = { dailyLimitSun: 5n, maxCostSun: 0n, receivers: [ONE], ips: ['192.0.2.0/24'] };
  it.each([
    [{ dailyLimitSun: 6n }, true],
    [{ dailyLimitSun: null }, true],
    [{ dailyLimitSun: 4n }, false],
    [{ maxCostSun: 1n }, true],
    [{ maxCostSun: null }, true],
    [{ receivers: [ONE, TWO] }, true],
    [{ receivers: [TWO] }, true],
    [{ receivers: null }, true],
    [{ ips: ['192.0.2.0/24', '198.51.100.1/32'] }, true],
    [{ ips: ['192.0.2.0/23'] }, true],
    [{ ips: null }, true],
    [{}, false],
  ] as [Partial<TokenLimits>, boolean][])('are allowed more by %p: %p', (change, isMore) => {
    expect(widens(FEW, { ...FEW, ...change })).toBe(isMore);
    expect(widens({ dailyLimitSun: null, maxCostSun: null, receivers: null, ips: null }, { ...FEW, ...change })).toBe(
      false,
    );
  });

  it('leave one entry when they are revoked, and none for one that is somebody else’s, or nobody’s', async () => {
    await client.fillIn(NEW, NEW, { name: 'books', permissions: 'balance' });
    const [token] = await tokens();
    for (let n = 0; n < 3; n++) {
      const revoked = await client.submit(`/panel/tokens/${token!.id}`, `/panel/tokens/${token!.id}/revoke`);
      expect(revoked.status).toBe(303);
    }
    expect((await tokens())[0]!.state).toBe('revoked');
    const other = await insertPanelUser(service);
    const theirs = new PanelClient(service.url);
    await theirs.signIn(other.email, other.password);
    const form = '/panel/account';
    for (const id of [token!.id, crypto.randomUUID(), 'x'.repeat(500)]) {
      expect((await theirs.submit(form, `/panel/tokens/${id}/revoke`)).status).toBe(404);
      expect((await theirs.submit(form, `/panel/tokens/${id}/limits`)).status).toBe(404);
    }
    expect((await entries()).map(({ action }) => action)).toEqual(['token.create', 'token.revoke']);
    const left = await service.sql.rows(
      { name: '', text: 'select from audit_log where actor_id = $1 and action <> $2' },
      [other.id, 'sign-in'],
    );
    expect(left).toEqual([]);
  });

  it('are made or limited 120 times an hour at most', async () => {
    await run(
      `insert into rate_limit_windows (key, calls, ends_at) values ('acts-tokens:' || $1::text, 119, now() + interval '30 minutes')`,
    );
    const make = () => client.fillIn(NEW, NEW, { name: 'books', permissions: 'balance' });
    expect([(await make()).status, (await make()).status]).toEqual([200, 429]);
    expect(await tokens()).toHaveLength(1);
    // What a user needs in an emergency goes on.
    const [token] = await tokens();
    const page = `/panel/tokens/${token!.id}`;
    expect((await client.submit(page, `${page}/limits`, { daily_limit: '1' })).status).toBe(429);
    expect((await client.submit(page, `${page}/revoke`)).status).toBe(303);
  });
});
