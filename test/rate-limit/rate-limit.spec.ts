import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { insertUser } from '../support/factories';
import { freezeDate } from '../support/frozen-date';
import { ProbeRoutesModule } from '../support/probe-routes';
import { StandingClock } from '../support/standing-clock';
import { createTestApp, type TestApp } from '../support/test-app';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

/** `fetch`'s, with plain headers. */
type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> };

describe.each(['memory', 'postgres'])('rate limits kept in %s', (store) => {
  const date = freezeDate();
  let database: TestDatabase;
  let clock: StandingClock;
  let service: TestApp;
  let second: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    const [made, databaseUrl] = await StandingClock.forAll(database.url);
    clock = made;
    const options = {
      databaseUrl,
      modules: [ProbeRoutesModule],
      env: { RATE_LIMIT_STORE: store, RATE_LIMIT_PER_MINUTE: '3', TRUST_PROXY: 'true', BILLING_VARIANT: 'B' },
    } satisfies Parameters<typeof createTestApp>[0];
    service = await createTestApp(options);
    second = await createTestApp(options);
  });
  afterAll(async () => {
    await second.close();
    await service.close();
    await database.drop();
  });

  /** The library that counts asks `Date`; what is shared is counted on the database's clock. */
  async function pass(ms: number) {
    date.advance(ms);
    await clock.advance(ms);
  }
  async function newCaller(rateLimitPerMinute?: number, permissions = ['balance']) {
    const userId = await insertUser(service.orm, { rateLimitPerMinute });
    const newToken = () => service.app.get(ApiTokenService).create({ userId, name: 'test', permissions });
    return { token: (await newToken()).token, otherToken: (await newToken()).token };
  }
  async function get(path: string, token: string, { at = service, from = '192.0.2.1' } = {}) {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from };
    const response = await fetch(`${at.url}/api/probe/${path}`, { headers });
    const header = (name: string) => response.headers.get(name);
    return {
      status: response.status,
      error: ((await response.json()) as { error?: string }).error,
      limit: header('ratelimit-limit'),
      remaining: header('ratelimit-remaining'),
      reset: header('ratelimit-reset'),
      retryAfter: header('retry-after'),
    };
  }

  it('are not used up by HEAD where a route has one of its own; the general one counts it', async () => {
    const { token } = await newCaller(10);
    const head = async () => {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.1' };
      const response = await fetch(`${service.url}/api/user/balance`, { method: 'HEAD', headers });
      return [response.status, response.headers.get('ratelimit-remaining')];
    };
    const balance = async () =>
      (await ask(service, '/api/user/balance', '192.0.2.1', { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await head(), await head()]).toEqual([
      [200, '9'],
      [200, '8'],
    ]);
    expect([await balance(), await head(), await balance()]).toEqual([200, [200, '6'], 429]);
  });

  it('count all routes and tokens of a user together, and no other user', async () => {
    const { token, otherToken } = await newCaller();
    expect(await get('other', token)).toMatchObject({ status: 200, limit: '3', remaining: '2', reset: '60' });
    expect(await get('other', otherToken)).toMatchObject({ status: 200, remaining: '1' });
    expect(await get('balance', token)).toMatchObject({ status: 200 });
    expect(await get('other', otherToken)).toMatchObject({
      status: 429,
      error: '请求过于频繁,请稍后再试',
      limit: '3',
      remaining: '0',
      reset: '60',
      retryAfter: '60',
    });
    expect(await get('other', (await newCaller()).token)).toMatchObject({ status: 200 });
  });

  it('run in fixed windows from the first call on, which a refused call does not extend', async () => {
    const { token } = await newCaller();
    await get('other', token);
    await pass(30_000);
    await get('other', token);
    await get('other', token);
    await pass(28_500);
    expect(await get('other', token)).toMatchObject({ status: 429, retryAfter: '2' });
    await pass(1_500);
    expect(await get('other', token)).toMatchObject({ status: 200, remaining: '2', reset: '60' });
  });

  it('let a route have one of its own', async () => {
    const { token } = await newCaller();
    expect(await get('balance', token)).toMatchObject({ status: 200, limit: '1', remaining: '0', reset: '5' });
    expect(await get('balance', token)).toMatchObject({ status: 429, limit: '1', reset: '5', retryAfter: '5' });
    await pass(5000);
    expect(await get('balance', token)).toMatchObject({ status: 200 });
  });

  it('do not count in one what the other refused', async () => {
    const { token } = await newCaller();
    await get('balance', token);
    for (let i = 0; i < 5; i++) await get('balance', token);
    expect(await get('other', token)).toMatchObject({ status: 200, remaining: '1' });
    expect(await get('other', token)).toMatchObject({ status: 200, remaining: '0' });
    await pass(59_000);
    expect(await get('balance', token)).toMatchObject({ status: 429, limit: '3', retryAfter: '1' });
    await pass(1000);
    expect(await get('balance', token)).toMatchObject({ status: 200 });
  });

  it('do not count what token or permission refused', async () => {
    const { token } = await newCaller(1, ['delegate']);
    expect(await get('balance', token)).toMatchObject({ status: 401, limit: null });
    const answer = await fetch(`${service.url}/api/probe/delegate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([400, '0']);
  });

  it('can be an account’s own', async () => {
    const { token } = await newCaller(100);
    expect(await get('other', token)).toMatchObject({ limit: '100', remaining: '99' });
  });

  it('let exactly as many of a crowd through as are left', async () => {
    const { token } = await newCaller(20);
    const instances = store === 'postgres' ? [service, second] : [service];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => get('other', token, { at: instances[i % instances.length]! })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  });

  /** As `get`, of any route and with any head. */
  async function ask(at: TestApp, path: string, from: string, init: Init = {}) {
    const response = await fetch(at.url + path, { ...init, headers: { 'x-forwarded-for': from, ...init.headers } });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: (await response.json()) as object,
    };
  }

  it('slow down an address that guesses tokens though a proxy writes another port behind it each time', async () => {
    const guess = { headers: { authorization: 'Bearer guessed' } };
    for (const from of [
      (n: number) => `198.51.100.77:${50_000 + n}`,
      (n: number) => `[2001:db8:77::1]:${50_000 + n}`,
    ]) {
      for (let n = 0; n < 30; n++) expect((await ask(service, '/api/user/balance', from(n), guess)).status).toBe(401);
      expect((await ask(service, '/api/user/balance', from(30), guess)).status).toBe(429);
    }
  });

  it('slow down an address that guesses tokens, on every route with its own words, and none that brings no token', async () => {
    const { token } = await newCaller(100, ['balance']);
    const from = '2001:db8:1:2::1';
    const guess = { headers: { authorization: 'Bearer guessed' } };
    const withScheme = { headers: { authorization: 'Basic dXNlcjpwYXNz' } };
    const unauthenticated = { status: 401, body: { success: false, error: '用户未登录' } };
    for (let i = 0; i < 62; i++) {
      const answer = await ask(service, '/api/user/balance', from, i % 2 ? withScheme : {});
      expect(answer).toMatchObject(unauthenticated);
    }
    for (let i = 0; i < 30; i++)
      expect(await ask(service, '/api/user/balance', `2001:db8:1:2::${i}`, guess)).toMatchObject(unauthenticated);
    const tooOften = { success: false, error: '请求过于频繁,请稍后再试' };
    for (const at of store === 'postgres' ? [service, second] : [service]) {
      const balance = await ask(at, '/api/user/balance', from, guess);
      const error = '请求过于频繁,请5秒后再试';
      expect(balance).toEqual({ status: 429, retryAfter: '60', body: { success: false, error } });
      for (const chain of ['chain', 'tron']) {
        const delegate = await ask(at, `/api/${chain}/delegate-resource`, from, { method: 'POST', ...guess });
        expect(delegate).toEqual({ status: 429, retryAfter: '60', body: { ...tooOften, cost: 0 } });
        const list = await ask(at, `/api/${chain}/delegations`, from, guess);
        expect(list).toEqual({ status: 429, retryAfter: '60', body: tooOften });
      }
    }
    expect(await ask(service, '/api/user/balance', from)).toMatchObject(unauthenticated);
    expect((await ask(service, '/api/probe/public', from)).status).toBe(200);
    expect(await get('other', token, { from })).toMatchObject({ status: 200, limit: '100' });
    expect((await ask(service, '/api/user/balance', '2001:db8:1:3::1', guess)).status).toBe(401);
    await pass(60_000);
    expect((await ask(service, '/api/user/balance', from, guess)).status).toBe(401);
  });

  it('refuse an address that has passed its limit without a write, until its minute ends', async () => {
    const from = '198.51.100.9';
    const written = async () =>
      JSON.stringify(
        await service.sql.rows({ name: '', text: 'select xmin::text, * from rate_limit_windows order by key' }),
      );
    for (let i = 0; i < 30; i++) await get('other', `wrong${i}`, { from });
    await pass(29_050);
    await get('other', 'wrong', { from });
    const before = await written();
    for (let i = 0; i < 20; i++)
      expect(await get('other', `wrong${i}`, { from })).toMatchObject({ status: 429, limit: '30', retryAfter: '31' });
    expect(await written()).toBe(before);
    expect(before.includes(`failed-tokens:${from}`)).toBe(store === 'postgres');
    await pass(30_950);
    expect(await get('other', 'wrong', { from })).toMatchObject({ status: 401 });
  });

  it('slow down an address after 30 bad tokens, never a good one from there', async () => {
    const { token } = await newCaller(100);
    const from = '198.51.100.7';
    for (let i = 0; i < 30; i++) expect(await get('other', `wrong${i}`, { from })).toMatchObject({ status: 401 });
    expect(await get('other', 'wrong', { from })).toMatchObject({ status: 429, limit: '30', retryAfter: '60' });
    expect(await get('other', token, { from })).toMatchObject({ status: 200, limit: '100' });
    expect(await get('other', 'wrong', { from: '198.51.100.8' })).toMatchObject({ status: 401 });
    await pass(60_000);
    expect(await get('other', 'wrong', { from })).toMatchObject({ status: 401 });
  });
});
