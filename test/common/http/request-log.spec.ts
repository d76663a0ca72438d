import { Logger } from 'nestjs-pino';
import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import { insertUser } from '../../support/factories';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { ProbeRoutesModule } from '../../support/probe-routes';
import { createTestApp, type TestApp } from '../../support/test-app';

type Line = Record<string, unknown>;
interface Kind {
  readonly from: string;
  readonly status: number | string;
}

/** The lines of requests as the logger gets them. */
class Lines {
  readonly all: Line[] = [];

  readonly logger = new Proxy({} as Logger, {
    get: (_target, method) => (line: Line | string) => {
      if (method === 'log' && typeof line === 'object') this.all.push(line);
    },
  });

  of(path: string, status: number | string): Line[] {
    return this.all.filter((line) => line['msg'] === 'request' && line['path'] === path && line['status'] === status);
  }

  get summaries(): (Line & { callers?: readonly Kind[] })[] {
    return this.all.filter(({ msg }) => msg === 'requests not logged');
  }
}

/** `fetch`'s, with plain headers. */
type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> };

describe.each(['A', 'B'])('the log under a flood, in variant %s', (variant) => {
  const lines = new Lines();
  let service: TestApp;

  beforeAll(async () => {
    service = await createTestApp({
      env: { LOG_LEVEL: 'info', TRUST_PROXY: 'true', RATE_LIMIT_PER_MINUTE: '50', BILLING_VARIANT: variant },
      modules: [ProbeRoutesModule],
      backgroundWork: false,
      overrides: (builder) => builder.overrideProvider(Logger).useValue(lines.logger),
    });
  });

  async function send(times: number, path: string, from: string, init: Init = {}) {
    const headers = { 'x-forwarded-for': from, ...init.headers };
    const once = async () => (await fetch(service.url + path, { redirect: 'manual', ...init, headers })).arrayBuffer();
    await Promise.all(Array.from({ length: times }, once));
  }

  it('has the first refusals of a caller by status, what users do, and every failure; the rest is counted', async () => {
    const userId = await insertUser(service.orm);
    const tokens = service.app.get(ApiTokenService);
    const { token } = await tokens.create({ userId, name: 'test', permissions: ['balance'] });
    const authorization = `Bearer ${token}`;
    const [guesser, crawler, user] = ['192.0.2.1', '2001:db8::', '192.0.2.3'];

    for (const chain of ['chain', 'tron']) {
      const path = `/api/${chain}/delegate-resource`;
      await send(60, `${path}?secret=1`, guesser, { method: 'POST', headers: { authorization: 'Bearer guessed' } });
    }
    await send(30, '/api/unknown', `${crawler}1`);
    await send(30, '/panel/unknown', `${crawler}2`);
    await send(40, '/panel/orders', guesser);
    await send(60, '/api/probe/other', user, { headers: { authorization } });
    // Fails: the route does not say who may call it.
    await send(30, '/api/probe/undeclared', crawler);
    // Another caller's first call is seen all the same.
    await send(1, '/api/unknown', '192.0.2.4');

    expect(lines.of('/api/chain/delegate-resource', 401)).toHaveLength(20);
    expect(lines.of('/api/chain/delegate-resource', 429)).toHaveLength(20);
    expect(lines.of('/api/tron/delegate-resource', 429)).toHaveLength(0);
    expect([...lines.of('/api/unknown', 404), ...lines.of('/panel/unknown', 404)]).toHaveLength(21);
    expect(lines.of('/panel/orders', 303)).toHaveLength(20);
    expect(lines.of('/api/probe/other', 200)).toHaveLength(50);
    expect(lines.of('/api/probe/other', 429)).toHaveLength(10);
    expect(lines.of('/api/probe/undeclared', 500)).toHaveLength(30);
    expect(JSON.stringify(lines.all)).not.toContain('secret');
  });

  it('has a sample of what is refused though our callers are known, and never the whole of a long path', async () => {
    const userId = await insertUser(service.orm);
    const { token } = await service.app.get(ApiTokenService).create({ userId, name: 'test', permissions: ['balance'] });
    await send(25, '/api/probe/paused', '192.0.2.6', { headers: { authorization: `Bearer ${token}` } });
    expect(lines.of('/api/probe/paused', 501)).toHaveLength(20);

    await send(1, `/api/${'x'.repeat(5000)}`, '192.0.2.7');
    const longest = Math.max(...lines.all.map((line) => (typeof line['path'] === 'string' ? line['path'].length : 0)));
    expect(longest).toBe(200);
  });

  it.each(['/r/1secretKeyOfAReceipt', '/R/2secretKeyOfAReceipt', '/r/3secretKeyOfAReceipt/receipt.json?lang=zh'])(
    'has no key of a shared receipt: %s',
    async (path) => {
      await send(1, path, '192.0.2.8');
      expect(JSON.stringify(lines.all)).not.toContain('secretKey');
      const hidden = path.split('?', 1)[0]!.replace(/\dsecretKeyOfAReceipt/, ':key');
      expect(lines.of(hidden, 404)).not.toEqual([]);
    },
  );

  it('has what somebody does who is signed in, and all together at most 600 of the others', async () => {
    const { email, password } = await insertPanelUser(service);
    const client = new PanelClient(service.url, { 'x-forwarded-for': '192.0.2.5' });
    await client.signIn(email, password);
    for (let i = 0; i < 25; i++) await client.get('/panel/tokens');
    expect(lines.of('/panel/tokens', 200)).toHaveLength(25);

    for (let network = 0; network < 50; network++) await send(12, '/api/unknown', `198.51.100.${network}`);
    const whole = ['/api/probe/other', '/panel/tokens'].flatMap((path) => lines.of(path, 200));
    const failed = lines.of('/api/probe/undeclared', 500);
    const signedIn = lines.of('/panel/sign-in', 303);
    expect(lines.all.length - whole.length - failed.length - signedIn.length).toBe(600);
    expect(lines.summaries).toEqual([]);
  });

  it('counts at the end what was left out, and names who sent most', async () => {
    await service.close();
    expect(lines.summaries).toHaveLength(1);
    const { count, statuses, callers } = lines.summaries[0]!;
    const left = 10 + 70 + 40 + 20;
    expect(count).toBeGreaterThan(left + 50);
    expect(statuses).toMatchObject({ 401: 10, 429: 70, 303: 20 });
    expect(callers).toHaveLength(10);
    expect(callers).toEqual(
      expect.arrayContaining([
        { from: '192.0.2.1', status: 429, calls: 90 },
        { from: '2001:db8::/64', status: 404, calls: 60 },
        { from: '192.0.2.1', status: 303, calls: 40 },
      ]),
    );
  });
});
