import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import { NO_LIMITS, type TokenLimits } from '../../../src/auth/tokens/token-limits';
import { insertUser } from '../../support/factories';
import { createTestApp, type TestApp } from '../../support/test-app';

const RECEIVER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

describe('what a token may do', () => {
  let service: TestApp;
  let proxied: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ env: { RATE_LIMIT_PER_MINUTE: '77' } });
    const env = { RATE_LIMIT_PER_MINUTE: '77', TRUST_PROXY: 'loopback' };
    proxied = await createTestApp({ env, databaseUrl: service.databaseUrl });
  });
  afterAll(async () => {
    await proxied.close();
    await service.close();
  });

  async function tokenWith(limits: Partial<TokenLimits>, permissions = ['balance'], rateLimitPerMinute?: number) {
    const userId = await insertUser(service.orm, { rateLimitPerMinute });
    return service.app.get(ApiTokenService).create({ userId, name: 'till', permissions, limits, expiresInDays: 7 });
  }
  async function show(token: string, { at = service, forwarded = '' } = {}) {
    const headers = { authorization: `Bearer ${token}`, ...(forwarded && { 'x-forwarded-for': forwarded }) };
    const response = await fetch(`${at.url}/api/user/token`, { headers });
    return {
      status: response.status,
      code: response.headers.get('x-error-code'),
      text: await response.text(),
    };
  }

  it.each([['delegate'], ['balance']])('is shown with the permission %s alone, amounts exact', async (permission) => {
    const limits = { dailyLimitSun: 9_007_199_254_740_993n, maxCostSun: 1n, receivers: [RECEIVER], ips: ['127.0.0.1'] };
    const { token, row } = await tokenWith(limits, [permission], 120);
    const { status, text } = await show(token);
    expect(status).toBe(200);
    expect(text).toContain('"daily_limit":9007199254.740993,"used_today":0,"remaining_today":9007199254.740993,');
    expect(text).toContain('"max_cost":0.000001,');
    const { data } = JSON.parse(text) as { data: object };
    expect(data).toMatchObject({
      name: 'till',
      permissions: [permission],
      expires_at: row.expiresAt!.toISOString(),
      receivers: [RECEIVER],
      ips: ['127.0.0.1/32'],
      rate_limit_per_minute: 120,
    });
    expect(Object.keys(data).sort()).toEqual(
      'daily_limit expires_at ips max_cost name permissions rate_limit_per_minute receivers remaining_today used_today'.split(
        ' ',
      ),
    );
  });

  it('is null without a limit', async () => {
    const { token } = await tokenWith({});
    const { data } = JSON.parse((await show(token)).text) as { data: object };
    const none = { daily_limit: null, remaining_today: null, max_cost: null, receivers: null, ips: null };
    expect(data).toMatchObject({ ...none, used_today: 0, rate_limit_per_minute: 77 });
  });

  it('is for its own networks alone: elsewhere each call is refused, as one without the permission', async () => {
    const { token } = await tokenWith({ ips: ['10.0.0.0/8'] });
    const answer = await show(token);
    expect([answer.status, answer.code]).toEqual([401, 'PERMISSION_DENIED']);
    expect(JSON.parse(answer.text)).toEqual({ success: false, error: '令牌权限不足' });
    const { token: here } = await tokenWith({ ips: ['10.0.0.0/8', '127.0.0.0/8'] });
    expect((await show(here)).status).toBe(200);
  });

  it('goes by the address that the trusted proxies name, and by nothing that a client writes itself', async () => {
    const { token } = await tokenWith({ ips: ['203.0.113.0/24', '2001:db8::/32'] });
    const statusOf = async (forwarded: string, at = proxied) => (await show(token, { at, forwarded })).status;
    expect(await statusOf('203.0.113.9')).toBe(200);
    expect(await statusOf('198.51.100.1, 203.0.113.9')).toBe(200);
    expect(await statusOf('2001:db8:1::7')).toBe(200);
    expect(await statusOf('203.0.113.9, 198.51.100.1')).toBe(401);
    expect(await statusOf('2001:db9::1')).toBe(401);
    expect(await statusOf('nonsense')).toBe(401);
    expect(await statusOf('203.0.113.9', service)).toBe(401);
  });

  it.each([
    ['203.0.113.7:51234', 200],
    ['203.0.113.7:0', 200],
    ['[2001:db8::1]:443', 200],
    ['[2001:db8::1]', 200],
    ['"[2001:db8::1]:443"', 200],
    ['2001:db8:0:0:0:0:0:1:443', 200],
    ['::ffff:203.0.113.7', 200],
    ['[::FFFF:cb00:7107]:443', 200],
    ['::ffff:203.0.113.7:443', 200],
    ['198.51.100.1:80, 203.0.113.7:51234', 200],
    // A proxy of ours that is named with its port is none the less ours.
    ['203.0.113.7:51234, 127.0.0.1:8080', 200],
    ['203.0.113.7:51234 ,\t[::1]:8080', 200],
    ['203.0.113.7:51234, 198.51.100.1:80', 401],
    ['[2001:db9::1]:443', 401],
    ['203.0.113.7:', 200],
    ['203.0.113.7:051234', 200],
    ['203.0.113.7:123456', 200],
    ['[2001:db8::1]:', 200],
    ['203.0.113.7;51234', 200],
    ['for=203.0.113.7', 200],
    ['For="[2001:db8::1]:4711";proto=https;by=10.0.0.1', 200],
    ['proto=https;for="203.0.113.7:80"', 200],
    ['for=unknown', 401],
    ['for=198.51.100.1;203.0.113.7', 401],
    ['[203.0.113.7', 401],
    ['203.0.113.7:80:80', 401],
  ])('takes %j for the address in it, with or without a port and brackets: %d', async (forwarded, status) => {
    const { token } = await tokenWith({ ips: ['203.0.113.0/24', '2001:db8::/32'] });
    expect((await show(token, { at: proxied, forwarded })).status).toBe(status);
  });

  it('is guessed no more often with words in the place of an address: the proxy that writes them is counted', async () => {
    const guess = async (word: string) =>
      (
        await fetch(`${proxied.url}/api/user/token`, {
          headers: { authorization: 'Bearer no-token', 'x-forwarded-for': `203.0.113.7, ${word}` },
        })
      ).status;
    const words = Array.from(
      { length: 31 },
      (_, index) => ['_hidden', 'unknown', '203.0.113.7:80:'][index % 3]! + index,
    );
    const statuses: number[] = [];
    for (const word of words) statuses.push(await guess(word));
    expect([statuses.slice(0, 30), statuses[30]]).toEqual([Array(30).fill(401), 429]);
  });

  it('refuses a query field that is empty or repeated, and lets others be', async () => {
    const { token } = await tokenWith({});
    const ask = async (query: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${service.url}/api/user/token?${query}`, { headers })).status;
    };
    expect([await ask('a='), await ask('a=1&a=1'), await ask('a[]=1'), await ask('a=1')]).toEqual([400, 400, 400, 200]);
  });

  it('is refused where the address is wrong before its permission and before a call is counted', async () => {
    const { token } = await tokenWith({ ips: ['10.0.0.0/8'] }, ['delegate'], 1);
    for (let call = 0; call < 3; call++) expect((await show(token)).code).toBe('PERMISSION_DENIED');
  });

  it('can be changed, and holds from the next call on', async () => {
    const { token, row } = await tokenWith({ ips: ['10.0.0.0/8'] });
    expect((await show(token)).status).toBe(401);
    await proxied.app.get(ApiTokenService).setLimits(row.id, { ...NO_LIMITS, ips: [] });
    expect((await show(token)).status).toBe(200);
  });

  it('has lists of at most 100, of addresses that are some', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `10.0.0.${at}`);
    await expect(tokenWith({ ips: many })).rejects.toThrow('at most 100 networks');
    await expect(tokenWith({ ips: ['::ffff:10.0.0.0/104'] })).rejects.toThrow('is neither an IP address');
    await expect(tokenWith({ receivers: [`${RECEIVER.slice(0, -1)}u`] })).rejects.toThrow('is not a TRON address');
  });
});
