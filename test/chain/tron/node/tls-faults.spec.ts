import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, OrderWorld } from '../../../support/order-world';
import { keptConnections, postJson } from '../../../../src/chain/tron/node/node-http';

/** A node with an unknown certificate: nothing may be sent to it, and no caller may be left in doubt whether something was. */
describe('a node with which no TLS connection comes about', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const heard: string[] = [];
  const servers: Server[] = [];
  beforeAll(() => {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=node'];
    execFileSync('openssl', ['req', '-x509', ...curve, '-days', '2', '-keyout', key, '-out', certificate], {
      stdio: 'pipe',
    });
  });
  afterAll(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  });

  async function listening(server: Server): Promise<string> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const strange = () =>
    listening(
      createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
        heard.push(request.url!);
        response.end('{}');
      }),
    );

  it.each<[string, () => Promise<string>, string]>([
    ['an unknown certificate', strange, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['no TLS at all', () => listening(createServer((socket) => void socket.end('HTTP/1.1 400\r\n\r\n'))), 'EPROTO'],
    ['a handshake that breaks off', () => listening(createServer((socket) => void socket.destroy())), 'ECONNRESET'],
    [
      'a handshake that never ends',
      () => listening(createServer((socket) => void socket.on('error', () => 0))),
      'connect time-out',
    ],
  ])('gets nothing, and that is known: %s', async (_, open, reason) => {
    const reply = await postJson(
      `${await open()}/wallet/broadcasttransaction`,
      {},
      undefined,
      1_000,
      undefined,
      keptConnections(),
    );
    expect([reply.kind, 'reason' in reply && reply.reason.replace(/^ERR_SSL_.*/, 'EPROTO')]).toEqual([
      'undelivered',
      reason,
    ]);
    expect(heard).toEqual([]);
  });

  describe('orders', () => {
    let world: OrderWorld;
    let caller: Caller;
    afterEach(() => world.close());
    const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });

    it('go to the second of two nodes', async () => {
      world = await OrderWorld.open({ block: 250, nodeUrl: async (url) => `${await strange()},${url}` });
      caller = await world.caller();
      expect((await place()).status).toBe(200);
      expect(heard).toEqual([]);
    });
  });
});
