import type { AddressInfo } from 'node:net';
import { Controller, Get, Post, ServiceUnavailableException, UseFilters } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ERROR_ANSWERS, ERROR_CODES, type ErrorCode } from '../../../src/common/errors/error-codes';
import { ServiceError } from '../../../src/common/errors/service.error';
import { PipelinedClient } from '../../support/pipelined';
import { ProbeController, startProbeApp } from '../../support/probe-app';
import { sendRaw } from '../../support/raw-http';

let thrown: unknown;

@Controller()
class FailingController {
  @Get(['api/user/balance', 'api/other'])
  balance() {
    throw thrown;
  }

  @Post('api/chain/delegate-resource')
  delegate() {
    throw thrown;
  }

  @Get('health/ready')
  @UseFilters(BaseExceptionFilter)
  health() {
    throw new ServiceUnavailableException({ status: 'error' });
  }
}

describe.each(['A', 'B'] as const)('the envelope in variant %s', (variant) => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await startProbeApp({ variant, controllers: [FailingController] });
    app.useLogger(false);
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  const delegateExtra = variant === 'B' ? { cost: 0 } : {};

  async function ask(path: string, method = 'GET', error: unknown = new Error('select * from users')) {
    thrown = error;
    const response = await fetch(url + path, { method });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : (JSON.parse(text) as object),
    };
  }

  it.each(ERROR_CODES)('carries %s with its status, text and code', async (code: ErrorCode) => {
    const { status, text } = ERROR_ANSWERS[code];
    const answer = await ask('/api/chain/delegate-resource', 'POST', new ServiceError(code));
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ success: false, error: text, ...delegateExtra });
    expect(answer.headers.get('x-error-code')).toBe(code);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  it('says nothing of what went wrong inside', async () => {
    const delegate = await ask('/api/chain/delegate-resource', 'POST');
    expect(delegate).toMatchObject({ status: 500, body: { error: '服务器内部错误,请稍后再试', ...delegateExtra } });
    const balance = await ask('/api/user/balance');
    expect(balance.body).toEqual({ success: false, error: '获取余额失败: 服务器内部错误' });
    expect(balance.headers.get('x-error-code')).toBe('INTERNAL');
    expect((await ask('/api/other', 'GET', 'no error at all')).status).toBe(500);
    expect((await ask('/api/other', 'GET', undefined)).status).toBe(500);
  });

  it('answers the balance caller in words that the database is away', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    for (const error of [away, new Error('Failed query', { cause: away }), new AggregateError([away])]) {
      const { body } = await ask('/api/user/balance', 'GET', error);
      expect(body).toEqual({ success: false, error: '获取余额失败: 数据库暂时不可用' });
    }
  });

  it('gives the balance route its own 429 text', async () => {
    const limited = new ServiceError('RATE_LIMITED', '', { headers: { 'Retry-After': '5' } });
    const { headers, body } = await ask('/api/user/balance/?x=1', 'GET', limited);
    expect(body).toEqual({ success: false, error: '请求过于频繁,请5秒后再试' });
    expect(headers.get('retry-after')).toBe('5');
    expect((await ask('/api/other', 'GET', limited)).body).toMatchObject({ error: '请求过于频繁,请稍后再试' });
  });

  it('names the challenge, the wait and the order in headers', async () => {
    const refused = await ask('/api/user/balance', 'GET', new ServiceError('UNAUTHENTICATED'));
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    const error = new ServiceError('INSUFFICIENT_ENERGY', '', { delegationId: 'an-order' });
    const { headers } = await ask('/api/chain/delegate-resource', 'POST', error);
    expect(headers.get('retry-after')).toBe('600');
    expect(headers.get('x-delegation-id')).toBe('an-order');
  });

  it('holds for the delegate route under either name, and for no other path', async () => {
    const tron = await ask('/API/tron/delegate-resource/', 'POST', new ServiceError('INTERNAL'));
    expect(tron.body).toEqual({ success: false, error: '服务器内部错误,请稍后再试', ...delegateExtra });
    expect((await ask('/api/tronx/delegate-resource', 'POST')).body).toEqual({
      success: false,
      error: '请求的资源不存在',
    });
  });

  it('answers a wrong method on a known path with what is allowed', async () => {
    const wrong = await ask('/api/tron/delegate-resource', 'GET');
    expect(wrong).toMatchObject({ status: 405, body: { error: '请求方法不被允许', ...delegateExtra } });
    expect(wrong.headers.get('allow')).toBe('OPTIONS, POST');
    expect(wrong.headers.get('x-error-code')).toBe('METHOD_NOT_ALLOWED');
    expect((await ask('/api/user/balance', 'DELETE')).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('answers OPTIONS with what is allowed', async () => {
    const { status, headers, body } = await ask('/api/user/balance', 'OPTIONS');
    expect([status, headers.get('allow'), body]).toEqual([204, 'GET, HEAD, OPTIONS', null]);
    expect((await ask('/api/unknown', 'OPTIONS')).status).toBe(404);
  });

  it('leaves a route with a filter of its own alone', async () => {
    expect(await ask('/health/ready')).toMatchObject({ status: 503, body: { status: 'error' } });
  });

  it('keeps a sane request id and replaces another', async () => {
    for (const [given, expected] of [
      ['order-17:a.b_c', /^order-17:a\.b_c$/],
      ['<script>', /^[\da-f-]{36}$/],
      ['x'.repeat(129), /^[\da-f-]{36}$/],
    ] as const) {
      const { headers } = await fetch(`${url}/nowhere`, { headers: { 'X-Request-Id': given } });
      expect(headers.get('x-request-id')).toMatch(expected);
    }
  });
});

describe('what never reaches a controller', () => {
  let app: NestExpressApplication;
  let port: number;

  beforeAll(async () => {
    app = await startProbeApp({ controllers: [ProbeController] });
    port = (app.getHttpServer().address() as AddressInfo).port;
  });
  afterAll(() => app.close());

  const get = (path: string, ...headers: string[]) =>
    sendRaw(port, [`GET ${path} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n'));

  it.each([
    '/',
    '/api',
    '/api/chain/delegations/%zz',
    '/api/chain/delegate-resource/%ff',
    '//api/user/balance',
    '/api/user/balance%2f',
    '*',
    '/%00',
  ])('an unknown path %s is a 404 in the envelope', async (path) => {
    const answer = await get(path, 'Host: x');
    expect(answer).toMatchObject({ status: 404, headers: { 'x-error-code': 'NOT_FOUND' } });
    expect(JSON.parse(answer.body)).toEqual({ success: false, error: '请求的资源不存在' });
  });

  it.each([
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header: 1\r\n\r\n'],
  ])('%s is refused in the envelope', async (_name, request) => {
    const answer = await sendRaw(port, request);
    expect(answer).toMatchObject({ status: 400, headers: { 'x-error-code': 'MALFORMED_BODY', connection: 'close' } });
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, error: '参数验证失败' });
  });

  it('a request without Host or with a strange Expect is answered like any other', async () => {
    expect((await get('/api/chain/delegations/7')).status).toBe(200);
    expect((await get('/api/chain/delegations/7', 'Host: x', 'Expect: a-miracle')).status).toBe(200);
  });

  it('nonsense behind a whole request does not take its answer', async () => {
    const whole = 'GET /api/chain/delegations/7 HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await sendRaw(port, `${whole}nonsense\r\n\r\n`);
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
  });

  it.each(['nonsense\r\n\r\n', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'])(
    '%j behind several requests takes the answer of none',
    async (behind) => {
      const client = PipelinedClient.to(port);
      const requests = ['1', '2', '3'].map((id) => `/api/chain/delegations/${id}`);
      client.send(...requests).write(behind);
      await client.closed;
      expect(client.text.match(/HTTP\/1.1 \d+/g)).toEqual(Array(3).fill('HTTP/1.1 200'));
      expect(client.text.match(/"id":"\d"/g)).toEqual(['"id":"1"', '"id":"2"', '"id":"3"']);
    },
  );

  it('a CONNECT is refused in the envelope', async () => {
    const answer = await sendRaw(port, 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).toMatchObject({ status: 404, headers: { 'x-error-code': 'NOT_FOUND' } });
  });

  it('a body that breaks off in nonsense is refused in the envelope', async () => {
    const head = 'POST /api/chain/delegate-resource HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await sendRaw(port, `${head}5\r\nabcde\r\nzz\r\n`);
    expect(answer).toMatchObject({ status: 400, headers: { 'x-error-code': 'MALFORMED_BODY' } });
  });

  it.each(['Upgrade: websocket\r\nConnection: Upgrade, close', 'Range: bytes=0-1', 'Accept: text/html'])(
    '%s changes nothing',
    async (header) => {
      const answer = await get('/api/chain/delegations/7', 'Host: x', header);
      expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
    },
  );

  it('an amount leaves as an exact number', async () => {
    const answer = await get('/api/tron/delegations/7', 'Host: x');
    expect(answer.body).toBe('{"id":"7","cost":2999999900.000001}');
    for (const telling of ['x-powered-by', 'etag']) expect(answer.headers).not.toHaveProperty(telling);
  });
});
