import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CommandLine } from '../support/command-line';
import { insertUser } from '../support/factories';
import { createTestApp, type TestApp } from '../support/test-app';

const USER = 'shop@example.com';

/** A real TLS server whose certificate a client trusts only if it is told to, as a process is by NODE_EXTRA_CA_CERTS. */
describe('a webhook over https', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const received: string[] = [];
  let server: Server;
  let service: TestApp;
  beforeAll(async () => {
    const names = ['-subj', '/CN=shop', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync('openssl', ['req', '-x509', ...curve, '-days', '2', '-keyout', key, '-out', certificate, ...names], {
      stdio: 'pipe',
    });
    server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
      void text(request).then((body) => {
        received.push(`${String(request.headers['webhook-signature']).slice(0, 3)} ${body}`);
        response.writeHead(204).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    service = await createTestApp({ backgroundWork: false });
    await insertUser(service.orm, { email: USER });
  });
  afterAll(async () => {
    server.close();
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const test = async (host: string, env: Record<string, string>) => {
    const cli = CommandLine.on(service.databaseUrl, { WEBHOOK_ALLOW_PRIVATE: 'on', ...env });
    const url = `https://${host}:${(server.address() as AddressInfo).port}/${Object.keys(env).join('')}`;
    const { id } = await cli.json<{ id: string }>('webhook:add', '--user', USER, '--url', url);
    const { exitCode, stdout } = await cli.run('webhook:test', id, '--json');
    return { exitCode, ...(JSON.parse(stdout) as { status: number | null; reason: string | null }) };
  };

  it('is delivered to a server whose certificate is trusted, for its own name alone, and to no other', async () => {
    expect(await test('127.0.0.1', { NODE_EXTRA_CA_CERTS: certificate })).toMatchObject({
      exitCode: 0,
      status: 204,
      reason: null,
    });
    expect(received).toEqual([expect.stringMatching(/^v1, \{"type":"webhook.test"/)]);
    // Nothing of an event leaves before the certificate is found good.
    expect(await test('127.0.0.1', {})).toMatchObject({ exitCode: 1, status: null, reason: 'unreachable' });
    expect(await test('localhost', { NODE_EXTRA_CA_CERTS: certificate })).toMatchObject({
      exitCode: 1,
      status: null,
      reason: 'unreachable',
    });
    expect(received).toHaveLength(1);
  });
});
