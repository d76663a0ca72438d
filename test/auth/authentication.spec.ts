import { ApiTokenRepository } from '../../src/auth/tokens/api-token.repository';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { mintToken } from '../../src/auth/tokens/token-format';
import { statement } from '../../src/database/statement';
import { UserService } from '../../src/users/user.service';
import { insertUser } from '../support/factories';
import { ProbeRoutesModule } from '../support/probe-routes';
import { sendRaw } from '../support/raw-http';
import { createTestApp, type TestApp } from '../support/test-app';

const ALL = ['delegate', 'balance'];
const NOT_LOGGED_IN = { success: false, error: '用户未登录' };

/** What happens beside the request has happened; the test's own time-out is the limit. */
async function settled(condition: () => Promise<boolean>) {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

const LAST_USED = statement<[id: string], { at: Date | null; minutes: number }>(
  'test_last_used',
  `select last_used_at as at, extract(epoch from now() - last_used_at)::float8 / 60 as minutes
     from api_tokens where id = $1`,
);

describe('authentication', () => {
  let service: TestApp;
  let second: TestApp;
  let tokens: ApiTokenService;

  beforeAll(async () => {
    const env = { RATE_LIMIT_PER_MINUTE: '1000' };
    service = await createTestApp({ modules: [ProbeRoutesModule], env });
    second = await createTestApp({ modules: [ProbeRoutesModule], env, databaseUrl: service.databaseUrl });
    tokens = service.app.get(ApiTokenService);
  });
  afterAll(async () => {
    await second.close();
    await service.close();
  });

  async function newToken(permissions = ALL, expiresInDays?: number) {
    const userId = await insertUser(service.orm);
    const { token, row } = await tokens.create({ userId, name: 'test', permissions, expiresInDays });
    return { userId, token, id: row.id };
  }
  async function get(path: string, authorization?: string, at = service) {
    const response = await fetch(`${at.url}/api/probe/${path}`, { headers: authorization ? { authorization } : {} });
    const { headers, status } = response;
    return { status, headers, code: headers.get('x-error-code'), body: (await response.json()) as object };
  }
  const statusOf = async (token: string, at = service) => (await get('other', `Bearer ${token}`, at)).status;

  it.each([
    undefined,
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'Bearer a b',
    'Bearer é',
    `Bearer ${mintToken()}`,
    `bearer ${'x'.repeat(8000)}`,
    `Token ${mintToken()}`,
    'Bearer %00',
    ', ,',
  ])('Authorization: %s is a 401 in the envelope', async (authorization) => {
    const answer = await get('other', authorization);
    expect(answer).toMatchObject({ status: 401, code: 'UNAUTHENTICATED', body: NOT_LOGGED_IN });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('refuses a token that has expired', async () => {
    const { token, id } = await newToken(ALL, 1);
    expect(await statusOf(token)).toBe(200);
    await service.orm.em.fork().execute(`update api_tokens set expires_at = now() where id = ?`, [id]);
    expect(await statusOf(token)).toBe(401);
  });

  it('feels a revocation immediately on every instance', async () => {
    const { token, id } = await newToken();
    expect([await statusOf(token), await statusOf(token, second)]).toEqual([200, 200]);
    await tokens.revoke(id);
    expect([await statusOf(token), await statusOf(token, second)]).toEqual([401, 401]);
  });

  it('refuses every token of a disabled user until the user is enabled again', async () => {
    const { token, userId } = await newToken();
    const users = second.app.get(UserService);
    const { email } = (await users.find({ id: userId }))!;
    await users.disable(email);
    expect(await statusOf(token)).toBe(401);
    await users.enable(email);
    expect(await statusOf(token)).toBe(200);
  });

  it('refuses a live token without the permission for the route', async () => {
    const { token } = await newToken(['delegate']);
    const answer = await get('other', `Bearer ${token}`);
    expect(answer).toMatchObject({ status: 401, code: 'PERMISSION_DENIED', body: { error: '令牌权限不足' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('answers no caller on a route that does not say who may call it', async () => {
    const { token } = await newToken();
    expect(await get('undeclared', `Bearer ${token}`)).toMatchObject({ status: 500, code: 'INTERNAL' });
  });

  it('needs no token for a public route, nor to say that a route does not exist', async () => {
    expect((await get('public')).status).toBe(200);
    expect((await get('public', 'Bearer nonsense')).status).toBe(200);
    expect(await get('nothing')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  it('takes the scheme in any case of letters and gives the route the caller', async () => {
    const { token, id, userId } = await newToken();
    expect(await get('balance', `bEARER  ${token} `)).toMatchObject({
      status: 200,
      body: { id: userId, tokenId: id, permissions: ALL, rateLimitPerMinute: null },
    });
  });

  it('refuses two different tokens in one call, and takes the same one twice', async () => {
    const [one, two] = [await newToken(), await newToken()];
    const ask = async (...lines: string[]) => {
      const head = lines.map((line) => `Authorization: Bearer ${line}\r\n`).join('');
      const request = `GET /api/probe/other HTTP/1.1\r\nHost: localhost\r\n${head}Connection: close\r\n\r\n`;
      const { status, headers } = await sendRaw(Number(new URL(service.url).port), request);
      return [status, headers['x-error-code']];
    };
    expect(await ask(one.token, one.token)).toEqual([200, undefined]);
    expect(await ask(one.token, two.token)).toEqual([401, 'UNAUTHENTICATED']);
    expect(await ask(two.token, 'nonsense')).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('checks token, permission, rate limit and body in this order', async () => {
    const userId = await insertUser(service.orm, { rateLimitPerMinute: 1 });
    const { token: reader } = await tokens.create({ userId, name: 'reader', permissions: ['balance'] });
    const { token } = await tokens.create({ userId, name: 'all', permissions: ALL });
    const codeOf = async (authorization: string) => {
      const answer = await fetch(`${service.url}/api/probe/delegate`, {
        method: 'POST',
        headers: { authorization },
        body: 'x'.repeat(20_000),
      });
      return answer.headers.get('x-error-code');
    };
    expect(await codeOf('Bearer wrong')).toBe('UNAUTHENTICATED');
    expect(await codeOf(`Bearer ${reader}`)).toBe('PERMISSION_DENIED');
    expect(await codeOf(`Bearer ${token}`)).toBe('BODY_TOO_LARGE');
    expect(await codeOf(`Bearer ${token}`)).toBe('RATE_LIMITED');
    expect(await codeOf(`Bearer ${reader}`)).toBe('PERMISSION_DENIED');
  });

  it('records the last use beside the request, at most once a minute', async () => {
    const { token, id } = await newToken();
    const lastUsed = async () => {
      const rows = await service.sql.rows(LAST_USED, [id]);
      return rows[0]!;
    };
    expect((await lastUsed()).at).toBeNull();
    await Promise.all(Array.from({ length: 20 }, () => statusOf(token)));
    await settled(async () => (await lastUsed()).at !== null);
    const { at } = await lastUsed();
    await statusOf(token);
    await statusOf(token);
    expect((await lastUsed()).at).toEqual(at);
    await service.orm.em
      .fork()
      .execute(`update api_tokens set last_used_at = now() - interval '61 s' where id = ?`, [id]);
    await statusOf(token);
    await settled(async () => (await lastUsed()).minutes < 1);
  });

  it('answers though the last use could not be recorded, and records it with the next call', async () => {
    const { token, id } = await newToken();
    const record = jest.spyOn(service.app.get(ApiTokenRepository), 'recordUse');
    record.mockRejectedValueOnce(new Error('the database is away'));
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(token)).toBe(200);
    expect(record).toHaveBeenCalledTimes(2);
    record.mockRestore();
    await settled(async () => (await service.sql.rows(LAST_USED, [id]))[0]!.at !== null);
  });

  it('keeps nothing of a token but its hash and prefix', async () => {
    const { token } = await newToken();
    const rows = await service.orm.em.fork().execute(`select t::text as row from api_tokens t`);
    expect(JSON.stringify(rows)).not.toContain(token.slice(12));
  });
});
