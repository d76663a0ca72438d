import { chmodSync, readFileSync } from 'node:fs';
import { request as secureRequest, type RequestOptions } from 'node:https';
import { delegation } from './raw-data';
import { Authority, type Certificate } from './certificates';
import { type Answer, call, makeWallet, type Result, TestSigner } from './signer.fixture';

const pool = makeWallet();
const rawData = delegation({ owner: pool.address, receiver: makeWallet().address });
const BODY = JSON.stringify({ requests: [{ key: 'pool', raw_data_hex: rawData.toString('hex') }] });

describe('the signer by TLS', () => {
  const signer = new TestSigner();
  let servers: Authority;
  let clients: Authority;
  let server: Certificate;
  let port: number;

  beforeAll(async () => {
    [servers, clients] = [
      await Authority.make(signer.folder, 'servers'),
      await Authority.make(signer.folder, 'clients'),
    ];
    server = await servers.sign('server');
    signer.configure([signer.key('pool', pool)]);
    const said = await signer.start(listening());
    port = Number(/^listening on https:\/\/127\.0\.0\.1:(\d+)$/m.exec(said)![1]);
  });
  afterAll(() => signer.remove());

  function listening({ cert = server.cert, key = server.key, ca = clients.cert } = {}): string[] {
    return ['--listen', '127.0.0.1:0', '--tls-cert', cert, '--tls-key', key, '--client-ca', ca];
  }

  function sign(client: Certificate | null, options: RequestOptions = {}): Promise<Answer<{ results: Result[] }>> {
    const own = client && { cert: readFileSync(client.cert), key: readFileSync(client.key) };
    const to = { host: '127.0.0.1', port, method: 'POST', path: '/v1/sign', ca: readFileSync(servers.cert) };
    return call({ ...to, ...own, ...options }, BODY, secureRequest as never);
  }

  it('signs for a client with a certificate of the authority', async () => {
    const { status, body } = await sign(await clients.sign('service'));
    expect([status, body.results.length]).toEqual([200, 1]);
    expect(body.results[0]).toHaveProperty('signature');
  });

  it.each<[string, () => Promise<Certificate | null>]>([
    ['without a certificate', () => Promise.resolve(null)],
    [
      'with a certificate of another authority',
      async () => (await Authority.make(signer.folder, 'foreign')).sign('stranger'),
    ],
    ['with a certificate of the authority of servers', () => servers.sign('other-server')],
    [
      'with a certificate of an authority that took the name',
      async () => {
        const { cert: mine } = clients;
        const kept = readFileSync(mine);
        const keptKey = readFileSync(`${signer.folder}/clients.key`);
        const impostor = await (await Authority.make(signer.folder, 'clients')).sign('impostor');
        signer.write('clients.pem', kept.toString());
        signer.write('clients.key', keptKey.toString());
        return impostor;
      },
    ],
    ['with a certificate that has expired', () => clients.sign('late', -1)],
  ])('refuses a client %s', async (_what, certificate) => {
    const client = await certificate();
    const before = signer.lines().length;
    await expect(sign(client)).rejects.toThrow(/alert|socket hang up|ECONNRESET|EPIPE/);
    expect(signer.lines()).toHaveLength(before);
  });

  it('refuses TLS 1.2, and what is not TLS', async () => {
    const client = await clients.sign('old');
    await expect(sign(client, { maxVersion: 'TLSv1.2' })).rejects.toThrow(/alert protocol version/);
    const plain = call({ host: '127.0.0.1', port, method: 'POST', path: '/v1/sign' }, BODY);
    await expect(plain).rejects.toThrow(/socket hang up|ECONNRESET|EPIPE|Parse Error/);
  });

  it('does not start with a key that others can read, or with files that do not fit', async () => {
    await signer.stop();
    chmodSync(server.key, 0o644);
    const lent = await signer.run(listening()).ended;
    expect(lent).toEqual({
      code: 1,
      stdout: '',
      stderr: `energy-signer: --tls-key ${server.key} can be read by others (mode 0644): chmod 600\n`,
    });
    chmodSync(server.key, 0o600);
    const { key } = await servers.sign('another');
    const unfit = await signer.run(listening({ key })).ended;
    expect(unfit.stderr).toMatch(/^energy-signer: the TLS files cannot be used: .*mismatch\n$/);
  });

  it('does not start without an authority of its own: TLS would then believe those of browsers', async () => {
    await signer.stop();
    const whole = readFileSync(clients.cert, 'utf8');
    for (const text of ['', '\n', 'an authority', whole.slice(0, -60), whole.replaceAll('CERTIFICATE', 'PUBLIC KEY')]) {
      const ca = signer.write('no-authority', text);
      const { code, stderr } = await signer.run(listening({ ca })).ended;
      expect([code, stderr]).toEqual([1, `energy-signer: --client-ca ${ca} must hold certificates (PEM)\n`]);
    }
  });
});
