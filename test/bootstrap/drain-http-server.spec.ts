import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import { drain } from '../../src/bootstrap/drain-http-server';
import { boundServer } from '../../src/common/http/server-bounds';
import { listen, PipelinedClient } from '../support/pipelined';
import { until } from '../support/until';

const FOR_EVER_MS = 3_600_000;
const LARGE = Buffer.alloc(32 * 1024 * 1024);

describe('the end of the HTTP server', () => {
  it('waits for the answer in flight, and not for the connection that it leaves open', async () => {
    const asked: ServerResponse[] = [];
    const server = createServer((_request, response) => void asked.push(response));
    server.keepAliveTimeout = FOR_EVER_MS;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(server, 'request');

    let isDrained = false;
    const drained = drain(server, FOR_EVER_MS).then(() => (isDrained = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDrained).toBe(false);
    asked[0]!.end('answered');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('answered');
    await drained;
  });

  it('says in the answers in flight that their connections end, and takes no request behind them', async () => {
    const asked: ServerResponse[] = [];
    const server = createServer((_request, response) => void asked.push(response));
    server.keepAliveTimeout = FOR_EVER_MS;
    boundServer(server, new Logger(), { keepAliveMs: FOR_EVER_MS });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const text = textOf(socket);
    const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
    socket.write(request + request);
    while (asked.length < 2) await once(server, 'request');

    const drained = drain(server, FOR_EVER_MS);
    socket.write(request);
    for (const [at, response] of asked.entries()) response.end(`answer ${at}`);
    const [first, second, ...others] = (await text).split(/(?=HTTP\/1\.1 )/);
    expect(others).toEqual([]);
    expect(first).toMatch(/connection: keep-alive[^]*answer 0/i);
    expect(second).toMatch(/connection: close[^]*answer 1/i);
    await drained;
  });

  it('lets a slow reader have all of an answer that has ended, and of the answer behind it', async () => {
    const asked: ServerResponse[] = [];
    const server = createServer((_request, response) => {
      if (asked.push(response) === 1) response.end(LARGE);
    });
    boundServer(server, new Logger(), { keepAliveMs: FOR_EVER_MS });
    const reader = PipelinedClient.deaf(await listen(server));
    reader.send('/large', '/order');
    await until('both asked', async () => asked.length === 2);

    const drained = drain(server, FOR_EVER_MS);
    const text = textOf(reader.socket);
    asked[1]!.end('answered');
    const [, first, second] = (await text).split(/HTTP\/1\.1 200 OK/);
    expect(first!.split('\r\n\r\n')[1]!.length).toBe(LARGE.length);
    expect(second?.slice(-8)).toBe('answered');
    await drained;
  });

  it('closes at once what is idle, and lets half a request become whole and have its answer', async () => {
    const server = createServer((request, response) => void response.end(request.url));
    boundServer(server, new Logger(), { keepAliveMs: FOR_EVER_MS });
    const port = await listen(server);
    const [idle, half] = [PipelinedClient.to(port), PipelinedClient.to(port)];
    idle.send('/1');
    // In one packet: once the first is answered, the half is there.
    half.write('GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost:');
    await until('both answered', async () => [idle, half].every(({ text }) => text.endsWith('/1')));

    const drained = drain(server, FOR_EVER_MS);
    await idle.closed;
    expect(half.socket.closed).toBe(false);
    half.write(' localhost\r\n\r\n');
    await half.closed;
    expect(half.text).toMatch(/\/2$/);
    await drained;
  });

  it('cuts what is never answered', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(server, 'request');
    const closed = once(socket, 'close');
    await drain(server, 1);
    await closed;
  });
});
