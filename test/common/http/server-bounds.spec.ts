import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { loadConfiguration } from '../../../config/load-configuration';
import { handleClientErrors } from '../../../src/common/http/client-error.handler';
import { type Bounds, boundServer, mostConnections } from '../../../src/common/http/server-bounds';
import { listen, PipelinedClient } from '../../support/pipelined';
import { createTestApp } from '../../support/test-app';
import { until } from '../../support/until';

const MOST_IN_FLIGHT = 10;
const LARGE = Buffer.alloc(32 * 1024 * 1024);
const bodies = ({ text }: PipelinedClient) =>
  text
    .split('\r\n\r\n')
    .slice(1)
    .map((part) => part.split('HTTP/1.1')[0]);

describe('an idle connection of a caller', () => {
  /** Measures a service with this setting: what it says of its connections, and the time that Node goes by. */
  async function kept(env: Record<string, string>) {
    const service = await createTestApp({ env, backgroundWork: false });
    const response = await fetch(`${service.url}/health/live`);
    const server: Server = service.app.getHttpServer();
    await service.close();
    return { said: response.headers.get('keep-alive'), ms: server.keepAliveTimeout };
  }

  it('stays open for KEEP_ALIVE, 75 s by itself', async () => {
    expect(await kept({})).toEqual({ said: 'timeout=75', ms: 75_000 });
    expect(await kept({ KEEP_ALIVE: '620s' })).toEqual({ said: 'timeout=620', ms: 620_000 });
    expect(await kept({ KEEP_ALIVE: '2h' })).toEqual({ said: 'timeout=7200', ms: 7_200_000 });
  });

  it('is closed after it', async () => {
    const service = await createTestApp({ env: { KEEP_ALIVE: '200ms' }, backgroundWork: false });
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').resume();
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'close');
    await service.close();
  });

  it.each(['0s', '75', '-1s', 'off', '25000h'])('is not kept for %s: no start', (given) => {
    expect(() => loadConfiguration({ KEEP_ALIVE: given })).toThrow('KEEP_ALIVE must be a duration');
  });
});

describe('what strangers can make an HTTP server hold', () => {
  let server: Server;
  let port: number;
  let warnings: Record<string, unknown>[];
  const clients: PipelinedClient[] = [];

  const start = async (answer: RequestListener, bounds: Partial<Bounds> = {}) => {
    warnings = [];
    server = createServer(answer);
    const logger = { warn: (line: Record<string, unknown>) => warnings.push(line) };
    boundServer(server, logger as unknown as LoggerService, bounds);
    port = await listen(server);
  };
  const client = (made: PipelinedClient) => clients[clients.push(made) - 1]!;
  const to = () => client(PipelinedClient.to(port));
  const deaf = () => client(PipelinedClient.deaf(port));
  const paths = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`);
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('pipelined requests, a few at a time, are answered in their order on a connection that stays', async () => {
    const asked: [IncomingMessage, ServerResponse][] = [];
    await start((...pair) => void asked.push(pair));
    const caller = to().send(...paths(MOST_IN_FLIGHT));
    for (let round = 0; round < 3; round++) {
      await until('all asked', async () => asked.length === MOST_IN_FLIGHT);
      for (const [{ url }, response] of asked.splice(0).toReversed()) response.end(url);
      await until('all answered', async () => bodies(caller).length === MOST_IN_FLIGHT);
      expect(bodies(caller)).toEqual(paths(MOST_IN_FLIGHT));
      caller.text = '';
      caller.send(...paths(MOST_IN_FLIGHT));
    }
    expect(caller.socket.closed).toBe(false);
    expect(warnings).toEqual([]);
  });

  it.each([11, 5_000])('of %d at once ten are handled and answered, then the connection is closed', async (count) => {
    const asked: ServerResponse[] = [];
    let found = 0;
    await start((_request, response) => void asked.push(response));
    server.prependListener('request', () => (found += 1));
    const caller = to().send(...paths(count));
    await until('the drop', async () => warnings.length > 0);
    expect(warnings).toEqual([
      { from: '127.0.0.1', reason: 'too many requests before their answers', msg: 'connection closed' },
    ]);
    for (const response of asked.toReversed()) response.end(response.req.url);
    await caller.closed;
    expect(bodies(caller)).toEqual(paths(MOST_IN_FLIGHT));
    expect(caller.text.match(/Connection: close/g)).toHaveLength(1);
    // Those that are dropped are not even made: a packet has thousands.
    expect([asked.length, found]).toEqual([MOST_IN_FLIGHT, MOST_IN_FLIGHT + 1]);
  });

  it('an answer of which nothing is taken is cut, and not one that is taken slowly, nor a caller who waits', async () => {
    let waiting: ServerResponse | undefined;
    await start(
      (request, response) => {
        if (request.url === '/large') response.end(LARGE);
        else waiting = response;
      },
      { untakenMs: 1_500 },
    );
    const patient = to().send('/order');
    const slow = to().send('/large');
    const first = deaf().send('/large');
    // All in one write: only the system sees that it leaves part by part.
    slow.socket.pause();
    let taken = 0;
    slow.socket.removeAllListeners('data');
    const step = setInterval(() => (taken += (slow.socket.read() as Buffer | null)?.length ?? 0), 20);
    await until('a cut', async () => warnings.length > 0);
    expect(warnings).toEqual([{ from: '127.0.0.1', reason: 'answer not taken', msg: 'connection closed' }]);
    const second = deaf().send('/large');
    await until('another cut', async () => warnings.length > 1);
    clearInterval(step);
    expect(await connections()).toBe(2);
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(LARGE.length);
    waiting!.end('answered');
    await until('the answer', async () => bodies(patient).length > 0);
    expect(bodies(patient)).toEqual(['answered']);
    for (const { socket } of [first, second]) socket.resume();
    await Promise.all([first.closed, second.closed]);
  });

  it('half a head, and a body that does not come, are cut in time', async () => {
    await start((request) => void request.resume(), { requestMs: 300 });
    const halves = ['GET / HTTP/1.1\r\nHost: x', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1', ''];
    await Promise.all(halves.map((half) => to().write(half).closed));
  });

  it('half a request is cut without an answer, which would say that nothing came of an earlier attempt', async () => {
    await start((request) => void request.resume(), { requestMs: 300 });
    handleClientErrors(server, false);
    const head = 'POST /api/chain/delegate-resource HTTP/1.1\r\nHost: x\r\n';
    for (const half of [head, `${head}Content-Length: 9\r\n\r\n`, `${head}Content-Length: 9\r\n\r\n1`]) {
      const caller = to().write(half);
      await caller.closed;
      expect([half, caller.text]).toEqual([half, '']);
    }
    // Broken bytes have their answer.
    const broken = to().write('no HTTP\r\n\r\n');
    await broken.closed;
    expect(broken.text).toContain('MALFORMED_BODY');
  });

  it('half a request after a whole one cuts the answer of neither, and has none itself', async () => {
    const asked: ServerResponse[] = [];
    await start((_request, response) => void asked.push(response), { requestMs: 300 });
    handleClientErrors(server, false);
    const caller = to().write(
      'GET /whole HTTP/1.1\r\nHost: x\r\n\r\nPOST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1',
    );
    const ended = once(server, 'clientError');
    await ended;
    asked[0]!.end('answered');
    await caller.closed;
    expect(bodies(caller)).toEqual(['answered']);
  });

  it('more connections than it may have are closed at once, and the log says so', async () => {
    await start((_request, response) => void response.end('answered'), { connections: 2 });
    const first = to().send('/');
    to().send('/');
    await until('two connections', async () => (await connections()) === 2);
    const third = to().send('/');
    await third.closed;
    expect([third.text, warnings]).toEqual([
      '',
      [{ from: '127.0.0.1', reason: 'too many connections', msg: 'connection closed' }],
    ]);
    first.socket.destroy();
    await until('one connection', async () => (await connections()) === 1);
    const next = to().send('/');
    await until('an answer', async () => bodies(next).length > 0);
  });

  it('leaves half of the descriptors to the process, however few there are', () => {
    expect([mostConnections(1_024), mostConnections(65_536), mostConnections(Infinity)]).toEqual([512, 8_000, 8_000]);
  });

  const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
});
