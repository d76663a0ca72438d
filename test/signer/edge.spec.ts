import { connect, type Socket } from 'node:net';
import { delegation } from './raw-data';
import { call, makeWallet, TestSigner } from './signer.fixture';

const pool = makeWallet();
const lend = () => delegation({ owner: pool.address, receiver: makeWallet().address });
const requestOf = (rawData: Buffer) => ({ key: 'pool', raw_data_hex: rawData.toString('hex') });

describe('the HTTP of the signer', () => {
  const signer = new TestSigner();
  beforeAll(() => signer.configure([signer.key('pool', pool)]).start());
  afterEach(async () => {
    // Whatever a client has sent, others are served.
    expect(await signer.sign('pool', lend())).toHaveProperty('signature');
  });
  afterAll(() => signer.remove());

  const http = (method: string, path: string, body?: string | Buffer) =>
    call<{ error: string; message: string }>({ socketPath: signer.socket, method, path }, body);

  function open(): { socket: Socket; text: () => string; closed: Promise<unknown> } {
    const socket = connect(signer.socket);
    let text = '';
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('error', () => undefined);
    // once() of node:events would take a reset for a failure.
    return { socket, text: () => text, closed: new Promise((resolve) => socket.once('close', resolve)) };
  }

  it('takes 1 to 100 requests', async () => {
    const all = Array.from({ length: 101 }, lend).map(requestOf);
    for (const requests of [[], all]) {
      const { status, body } = await signer.post({ requests });
      expect({ status, body }).toEqual({
        status: 400,
        body: { error: 'unreadable', message: 'the body must be {"requests": [1 to 100 of them]}' },
      });
    }
    const before = signer.lines().length;
    const { status, body } = await signer.post({ requests: all.slice(1) });
    expect([status, body.results.filter(({ signature }) => signature !== undefined).length]).toEqual([200, 100]);
    expect(signer.lines()).toHaveLength(before + 100);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '7',
    '{}',
    '{"requests":{}}',
    '{"requests":[{"key":"pool","raw_data_hex":"00"}],"more":1}',
    '\u0000',
    '['.repeat(100_000),
  ])('refuses a body that is not of the form', async (body) => {
    expect(await signer.post(body)).toMatchObject({ status: 400, body: { error: 'unreadable' } });
  });

  it.each([
    ['GET', '/v1/sign', 405],
    ['PUT', '/v1/sign', 405],
    ['POST', '/v1/health', 405],
    ['GET', '/', 404],
    ['POST', '/v1/sign/', 404],
    ['POST', '/v1/sign?key=pool', 404],
    ['GET', '/v1/../v1/health', 404],
    ['DELETE', '/v2/keys', 404],
  ])('answers %s %s with %s', async (method, path, status) => {
    expect(await http(method, path, method.startsWith('P') ? '{}' : undefined)).toMatchObject({
      status,
      body: { error: 'unreadable' },
    });
  });

  it('reads no more than a body may have, of 10 MB or without an end', async () => {
    const { socket, text, closed } = open();
    socket.write('POST /v1/sign HTTP/1.1\r\nHost: signer\r\nContent-Length: 10000000\r\n\r\n');
    socket.write(Buffer.alloc(10_000_000, ' '));
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 413 /);
    const endless = open();
    endless.socket.write('POST /v1/sign HTTP/1.1\r\nHost: signer\r\nTransfer-Encoding: chunked\r\n\r\n');
    const send = (): void => {
      while (endless.socket.writable && endless.socket.write(`10000\r\n${' '.repeat(0x10000)}\r\n`));
    };
    endless.socket.on('drain', send);
    send();
    await endless.closed;
    expect(endless.text()).toMatch(/^(?:HTTP\/1\.1 413 |$)/);
  });

  it('answers requests that follow each other on one connection in their order', async () => {
    const all = Array.from({ length: 8 }, lend);
    const { socket, text, closed } = open();
    for (const [at, rawData] of all.entries()) {
      const body = JSON.stringify({ requests: [requestOf(rawData)] });
      const end = at === all.length - 1 ? 'Connection: close\r\n' : '';
      socket.write(`POST /v1/sign HTTP/1.1\r\nHost: signer\r\n${end}Content-Length: ${body.length}\r\n\r\n${body}`);
    }
    await closed;
    const txids = [...text().matchAll(/"txid":"([0-9a-f]{64})"/g)].map(([, txid]) => txid);
    expect(txids).toHaveLength(8);
    const logged = new Map(signer.lines().map((line, at) => [line.txid, at]));
    expect(txids.every((txid) => logged.has(txid!))).toBe(true);
  });

  it('closes a connection that sends more than ten requests before an answer', async () => {
    const before = signer.lines().length;
    const body = JSON.stringify({ requests: [requestOf(lend())] });
    const one = `POST /v1/sign HTTP/1.1\r\nHost: signer\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { socket, closed } = open();
    socket.write(one.repeat(5_000));
    await closed;
    expect(signer.lines().length - before).toBeLessThan(100);
  });

  it('closes what is not HTTP', async () => {
    for (const bytes of ['\u0016\u0003\u0001', 'hello\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]) {
      const { socket, text, closed } = open();
      socket.end(bytes);
      await closed;
      expect(text()).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/);
    }
  });

  it('logs no signature for a client that was gone before its request was whole', async () => {
    const before = signer.lines().length;
    const body = JSON.stringify({ requests: [requestOf(lend())] });
    const { socket, closed } = open();
    socket.write(
      `POST /v1/sign HTTP/1.1\r\nHost: signer\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
    );
    socket.end();
    await closed;
    expect(signer.lines()).toHaveLength(before);
  });
});
