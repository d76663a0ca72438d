import type { AddressInfo } from 'node:net';
import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import { insertUser } from '../../support/factories';
import { type RawAnswer, sendRaw } from '../../support/raw-http';
import { createTestApp, type TestApp } from '../../support/test-app';

const REQUIRED = { receiver_address: expect.any(Array) as unknown, amount: expect.any(Array) as unknown };

describe.each(['A', 'B'])('a request target in variant %s', (variant) => {
  let service: TestApp;
  let port: number;
  let token: string;

  beforeAll(async () => {
    const env = { BILLING_VARIANT: variant, RATE_LIMIT_PER_MINUTE: '100000', TRUST_PROXY: 'true' };
    service = await createTestApp({ env, backgroundWork: false });
    port = (service.app.getHttpServer().address() as AddressInfo).port;
    const userId = await insertUser(service.orm, { balance: 7 });
    const permissions = ['delegate', 'balance'];
    token = (await service.app.get(ApiTokenService).create({ userId, name: 'test', permissions })).token;
  });
  afterAll(() => service.close());

  const cost = variant === 'B' ? { cost: 0 } : {};
  let addresses = 0;
  /** Each from an address of its own: what limits addresses is not the question here. */
  const send = (method: string, target: string, headers: string[] = [], body = '') => {
    const from = `X-Forwarded-For: 10.0.${addresses >> 8}.${addresses++ & 255}`;
    const head = [`${method} ${target} HTTP/1.1`, 'Host: x', 'Connection: close', from, ...headers];
    return sendRaw(port, [...head, '', body].join('\r\n'));
  };
  const withToken = () => [`Authorization: Bearer ${token}`];
  const shown = ({ status, headers, body }: RawAnswer) => ({
    status,
    code: headers['x-error-code'],
    body: JSON.parse(body) as unknown,
  });
  const failure = (status: number, code: string, error: string, extra = {}) => ({
    status,
    code,
    body: { success: false, error, ...extra },
  });
  const UNKNOWN = failure(404, 'NOT_FOUND', '请求的资源不存在');

  describe.each(['chain', 'tron'])('under /api/%s', (chain) => {
    const path = `/api/${chain}/delegate-resource`;

    it.each([
      ['absolute', (p: string) => `http://host${p}`],
      ['absolute with user and port', (p: string) => `HTTPS://user:secret@host:8443${p}?x=1`],
      ['absolute of an IPv6 host', (p: string) => `http://[::1]:3000${p}/`],
      ['absolute of another scheme', (p: string) => `ftp://host${p}`],
      ['with a query', (p: string) => `${p}?a=//b/../c#d`],
      ['with a second slash before it', (p: string) => `/${p}`],
      ['absolute with a second slash before it', (p: string) => `http://host/${p}`],
      ['with a fragment', (p: string) => `${p}#/elsewhere`],
      ['in capitals, with a slash behind', (p: string) => `${p.toUpperCase()}/`],
    ])('%s is the delegate route, by its refusals and by its other methods', async (_name, targetOf) => {
      const target = targetOf(path);
      expect(shown(await send('POST', target))).toEqual(failure(401, 'UNAUTHENTICATED', '用户未登录', cost));
      expect(shown(await send('POST', target, [...withToken(), 'Content-Type: application/json']))).toEqual(
        failure(400, 'MALFORMED_BODY', '参数验证失败', { details: REQUIRED, ...cost }),
      );
      const wrong = await send('GET', target, withToken());
      expect(shown(wrong)).toEqual(failure(405, 'METHOD_NOT_ALLOWED', '请求方法不被允许', cost));
      expect(wrong.headers['allow']).toBe('OPTIONS, POST');
    });

    it.each([
      `/api/${chain}/../${chain}/delegate-resource`,
      `/api/./${chain}/delegate-resource`,
      `/api%2f${chain}/delegate-resource`,
      `/api/${chain}%2Fdelegate-resource`,
      `/api/${chain}/delegate%2Dresource`,
      `/api/${chain}/delegate-resource//`,
      `/api/${chain}/delegate-resource;x`,
      `/api\\${chain}\\delegate-resource`,
      `/api\\${chain}\\delegate-resource#`,
    ])('%j is not a route, and has nothing of one', async (target) => {
      for (const method of ['POST', 'GET']) expect(shown(await send(method, target, withToken()))).toEqual(UNKNOWN);
    });

    it('finds orders by an absolute target, its query included', async () => {
      const list = `http://host/api/${chain}/delegations`;
      const none = await send('GET', `${list}?limit=1`, withToken());
      expect(shown(none)).toEqual({ status: 200, body: { success: true, data: [], next_before: null } });
      const refused = await send('GET', `${list}?state=%C3%A9`, withToken());
      expect(shown(refused)).toMatchObject({ status: 400, body: { details: { state: expect.any(Array) as unknown } } });
      expect(shown(await send('GET', `${list}/7`, withToken()))).toEqual(UNKNOWN);
    });

    it.each([
      ['a broken chunk', `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\nzz\r\n`],
      [
        'a broken chunk of an absolute target',
        `POST http://h${path} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      ],
      ['a length that is none', `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n`],
      ['two lengths', `POST http://h${path}?a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`],
      ['a length beside chunks', `POST ${path} HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
      ['headers that are too large', `POST ${path} HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
      ['a query that is too large', `POST ${path}?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      ['a bad header', `\r\nPOST ${path}/ HTTP/1.1\r\nHost: x\r\nbad header: 1\r\n\r\n`],
      ['a version that is none', `POST ${path} HTTP/9.9\r\nHost: x\r\n\r\n`],
    ])('refuses %s with the envelope of the delegate route', async (_name, request) => {
      const details = { request: ['The request is malformed.'] };
      const answer = await sendRaw(port, request);
      expect(shown(answer)).toEqual(failure(400, 'MALFORMED_BODY', '参数验证失败', { details, ...cost }));
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-request-id': expect.any(String) as string,
      });
    });
  });

  it('absolute is the balance route and the panel too', async () => {
    const balance = await send('GET', 'http://host/api/user/balance?x', withToken());
    expect(shown(balance)).toMatchObject({ status: 200, body: { success: true, data: { balance: 7 } } });
    const limited = await send('GET', 'http://host/api/user/balance', withToken());
    expect(shown(limited)).toEqual(failure(429, 'RATE_LIMITED', '请求过于频繁,请5秒后再试'));
    const page = await send('GET', 'http://host/panel/orders');
    expect([page.status, page.headers['location']]).toEqual([303, '/panel/sign-in?next=%2Fpanel%2Forders']);
    expect((await send('GET', 'http://host/panel?lang=zh')).headers['location']).toBe('/panel');
    expect((await send('GET', 'http://host?x')).status).toBe(404);
    expect((await send('GET', 'http://host/health/live')).status).toBe(200);
  });

  it.each([
    ['GET', '*'],
    ['OPTIONS', '*'],
    ['POST', '/'],
    ['POST', '/api/chain'],
    ['CONNECT', 'host:443'],
  ])('%s %s is answered as no route', async (method, target) => {
    expect(shown(await send(method, target))).toEqual(UNKNOWN);
  });

  it('that is broken on another path has the plain envelope, and no cost', async () => {
    for (const path of ['/api/user/balance', '/api/chain/delegations', '/delegate-resource']) {
      const answer = await sendRaw(port, `POST ${path} HTTP/1.1\r\nContent-Length: x\r\n\r\n`);
      expect(JSON.parse(answer.body)).not.toHaveProperty('cost');
    }
  });

  it('is answered in full whatever condition comes with it, and kept by no cache', async () => {
    const paths = [
      '/api/user/balance',
      '/api/chain/delegations',
      '/api/tron/delegations/7',
      '/health/live',
      '/nothing',
    ];
    for (const path of [...paths, '/api/chain/delegate-resource']) {
      for (const condition of [
        'If-None-Match: *',
        'If-None-Match: "a"',
        'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT',
      ]) {
        const answer = await send('GET', path, [...withToken(), condition]);
        expect([path, answer.status]).not.toEqual([path, 304]);
        expect(JSON.parse(answer.body)).toBeInstanceOf(Object);
        expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
      }
    }
    const asset = /href="([^"]+panel\.css)"/.exec((await send('GET', '/panel/sign-in')).body)![1]!;
    const kept = await send('GET', asset, ['If-None-Match: *']);
    expect([kept.status, kept.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect((await send('OPTIONS', '/api/user/balance')).headers['cache-control']).toBe('no-store');
  });
});
