import { on } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { postJson } from '../../../../src/chain/tron/node/node-http';

describe('a call to a node', () => {
  let server: Server | undefined;
  let node: Worker | undefined;
  afterEach(async () => {
    server?.closeAllConnections();
    server?.close();
    await node?.terminate();
    [server, node] = [undefined, undefined];
  });

  async function call(answer: RequestListener, timeoutMs = 10_000) {
    server = createServer(answer);
    await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    return postJson(`http://127.0.0.1:${port}/wallet/getaccount`, { a: 1 }, undefined, timeoutMs);
  }

  it('reads plain and zipped answers, and keeps integers exact', async () => {
    const text = '{"sum":9007199254740993}';
    const value = { sum: 9_007_199_254_740_993n };
    expect(await call((_, response) => response.end(text))).toEqual({ kind: 'json', value });
    const zipped = await call((_, response) => response.setHeader('content-encoding', 'GZIP').end(gzipSync(text)));
    expect(zipped).toEqual({ kind: 'json', value });
  });

  it.each<[string, RequestListener, string]>([
    ['an answer that never comes', () => undefined, 'time-out'],
    ['an answer that stops', (_, response) => response.write('{"a"'), 'time-out'],
    ['an answer that breaks off', (_, response) => response.write('{"a"', () => response.destroy()), 'ECONNRESET'],
    ['a connection that is closed', (request) => request.socket.destroy(), 'ECONNRESET'],
    ['a redirection', (_, response) => response.writeHead(302, { location: '/' }).end(), 'HTTP 302'],
    ['text that is not JSON', (_, response) => response.end('<html>'), 'the answer is not JSON'],
    [
      'another protocol',
      ({ socket }) => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      'closed without an answer',
    ],
    [
      'an answer without an end',
      (_, response) => {
        const more = () => {
          while (response.write(Buffer.alloc(1 << 20)));
        };
        response.on('drain', more);
        more();
      },
      'the answer has more than 4194304 bytes',
    ],
  ])('ends with an open outcome for %s', async (_, answer, reason) => {
    const reply = await call(answer, reason === 'time-out' ? 500 : 10_000);
    expect(reply).toEqual({ kind: 'unknown', reason });
  });

  it('knows that nothing was delivered where no server listens', async () => {
    const reply = await postJson('http://127.0.0.1:1/wallet/getaccount', {}, undefined, 500);
    expect(reply).toEqual({ kind: 'undelivered', reason: 'ECONNREFUSED' });
  });

  it('takes an answer that came while the process stood still for longer than the time-out', async () => {
    // 0: the question is there, 1: this thread stands still, 2: the answer is sent.
    const steps = new Int32Array(new SharedArrayBuffer(4));
    node = new Worker(ANSWERS_AT_STEP_1, { eval: true, workerData: steps });
    const said = on(node, 'message');
    const next = async () => ((await said.next()).value as [number])[0];
    const reply = postJson(`http://127.0.0.1:${await next()}/`, {}, undefined, 300);
    await next();
    const stoodStill = performance.now();
    Atomics.store(steps, 0, 1);
    Atomics.notify(steps, 0);
    Atomics.wait(steps, 0, 1);
    while (performance.now() < stoodStill + 300);
    expect(await reply).toEqual({ kind: 'json', value: { a: 1 } });
  });
});

const ANSWERS_AT_STEP_1 = `
  const { parentPort, workerData: steps } = require('node:worker_threads');
  require('node:http').createServer((request, response) => {
    parentPort.postMessage(0);
    Atomics.wait(steps, 0, 0);
    response.end('{"a":1}', () => { Atomics.store(steps, 0, 2); Atomics.notify(steps, 0); });
  }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
`;
