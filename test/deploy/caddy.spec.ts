import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request as plainRequest, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { Caddy, describeWithCaddy } from '../support/caddy';
import { insertUser } from '../support/factories';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'deploy', 'caddy');
const KEY = 'a-key-that-no-log-may-have';
/** As `/health/ready` and `/metrics` are reached in other words. */
const INNER = [
  '/health/ready',
  '/health/live',
  '/HEALTH/ready',
  '/Health/READY/',
  '//health/ready',
  '/./health/ready',
  '/x/../health/ready',
  '/%68ealth/ready',
  '/%48EALTH%2fready',
  '/health',
  '/metrics',
  '/METRICS',
  '/metric%73',
];

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describeWithCaddy('behind deploy/caddy', () => {
  let service: TestApp;
  let token: string;

  const open = async (publicUrl: string, networks: string[]) => {
    service = await createTestApp({
      backgroundWork: false,
      env: { PUBLIC_URL: publicUrl, TRUST_PROXY: trustProxyOfCompose(), RATE_LIMIT_PER_MINUTE: '1000' },
    });
    const userId = await insertUser(service.orm);
    const made = await service.app.get(ApiTokenService).create({
      userId,
      name: 'shop',
      permissions: ['balance', 'delegate'],
      limits: { ips: networks },
    });
    token = made.token;
  };
  const upstream = () => new URL(service.url).host;

  describe('with a certificate that Caddy signs', () => {
    let caddy: Caddy;
    let ca: string;
    beforeAll(async () => {
      await open('https://localhost', ['127.0.0.2']);
      caddy = await Caddy.open(join(FOLDER, 'Caddyfile'), {
        PUBLIC_URL: 'https://localhost',
        UPSTREAMS: upstream(),
        CERTIFICATES: 'local_certs',
      });
      ca = await caddy.root();
    });
    afterAll(async () => {
      await caddy?.close();
      await service?.close();
    });

    const ask = (path: string, options: RequestOptions = {}, body?: string) =>
      send(secureRequest, { ...AT, port: caddy.ports.https, path, ...options, ca }, body);

    it('cookies are Secure and of this host alone, whatever the caller says of himself', async () => {
      for (const headers of [{}, { 'x-forwarded-proto': 'http' }, { 'x-forwarded-host': 'evil.example' }]) {
        const cookies = (await ask('/panel/sign-in', { headers })).headers['set-cookie']!;
        expect(cookies.length).toBeGreaterThan(0);
        for (const cookie of cookies) expect(cookie).toMatch(/^__Host-.*; Secure/);
      }
    });

    it('the service sees the address of each caller, and not the one that he writes', async () => {
      const statusFrom = async (localAddress: string, forwarded?: string) => {
        const headers = { authorization: `Bearer ${token}`, ...(forwarded && { 'x-forwarded-for': forwarded }) };
        return (await ask('/api/user/token', { localAddress, headers })).status;
      };
      expect(await statusFrom('127.0.0.2')).toBe(200);
      expect(await statusFrom('127.0.0.2', '198.51.100.1')).toBe(200);
      expect(await statusFrom('127.0.0.3')).toBe(401);
      expect(await statusFrom('127.0.0.3', '127.0.0.2')).toBe(401);
      expect(await statusFrom('127.0.0.1', '127.0.0.2')).toBe(401);
    });

    it('plain http leads to https, and not to the service', async () => {
      const { status, headers } = await send(plainRequest, { ...AT, port: caddy.ports.http, path: '/panel' });
      expect([status, headers.location]).toEqual([308, expect.stringMatching(/^https:\/\/localhost(:\d+)?\/panel$/)]);
    });

    it.each(INNER)('%s is not open', async (path) => {
      const { status, headers } = await ask(path);
      expect([status, headers['x-request-id']]).toEqual([404, undefined]);
    });

    it('a body that is too large is refused by the service, in its own words', async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const order = { method: 'POST', headers, localAddress: '127.0.0.2' };
      const answer = await ask('/api/chain/delegate-resource', order, `{"a":"${'x'.repeat(1_100_000)}"}`);
      expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_TOO_LARGE']);
    });

    it('the key of a link is in no log, nor in that of errors when the service is away', async () => {
      const path = `/panel/invitation?key=${KEY}`;
      const headers = { referer: `https://localhost${path}`, cookie: `a=${KEY}` };
      await ask(path, { headers });
      await ask(`/panel/balance?next=${KEY}`, { headers });
      for (const shared of [`/r/${KEY}`, `/R/${KEY}/receipt.json`, `//r//${KEY}?lang=zh`, `https://localhost/r/${KEY}`])
        await ask(shared);
      for (const uri of [
        '/panel/invitation',
        '/panel/balance',
        '/r/',
        '/R//receipt.json',
        '//r//',
        'https://localhost/r/',
      ])
        await until(`the line of ${uri}`, async () => caddy.log.includes(`"uri":"${uri}"`));
      expect(caddy.log).not.toContain(KEY);

      const alone = await Caddy.open(join(FOLDER, 'Caddyfile'), {
        PUBLIC_URL: 'https://localhost',
        UPSTREAMS: '127.0.0.1:1',
      });
      const options = { ...AT, port: alone.ports.https, path, headers, ca: await alone.root() };
      expect((await send(secureRequest, options)).status).toBeGreaterThanOrEqual(502);
      await until('the error', async () => alone.log.includes('"logger":"http.log.error'));
      await alone.close();
      expect(alone.log).toContain('"uri":"/panel/invitation"');
      expect(alone.log).not.toContain(KEY);
    });
  });

  describe('with a terminator of TLS in front', () => {
    const ALIVE = '/health/live';
    let caddy: Caddy;
    const TERMINATOR = '127.0.0.2';
    beforeAll(async () => {
      await open('https://energy.example', ['203.0.113.7', '2001:db8::/32', '10.1.2.3']);
      caddy = await Caddy.open(join(FOLDER, 'behind-terminator.Caddyfile'), {
        TERMINATOR: `${TERMINATOR} 10.9.9.0/24`,
        UPSTREAMS: upstream(),
      });
    });
    afterAll(async () => {
      await caddy?.close();
      await service?.close();
    });

    const ask = (path: string, headers: Record<string, string>, localAddress = TERMINATOR) =>
      send(plainRequest, {
        ...AT,
        port: caddy.ports.http,
        path,
        localAddress,
        headers: { host: 'energy.example', ...headers },
      });

    it('cookies are Secure where the terminator had https, and not else', async () => {
      const cookiesOf = async (proto: string) =>
        (await ask('/panel/sign-in', { 'x-forwarded-proto': proto, 'x-forwarded-for': '203.0.113.7' })).headers[
          'set-cookie'
        ]!;
      for (const cookie of await cookiesOf('https')) expect(cookie).toMatch(/^__Host-.*; Secure/);
      for (const cookie of await cookiesOf('http')) expect(cookie).not.toMatch(/^__Host-|; Secure/);
    });

    it('the service sees the address that the terminator has seen, the last one', async () => {
      const statusOf = async (forwarded: string) =>
        (
          await ask('/api/user/token', {
            authorization: `Bearer ${token}`,
            'x-forwarded-proto': 'https',
            'x-forwarded-for': forwarded,
          })
        ).status;
      expect(await statusOf('203.0.113.7')).toBe(200);
      expect(await statusOf('203.0.113.7:51234')).toBe(200);
      expect(await statusOf('[2001:db8::7]:443')).toBe(200);
      expect(await statusOf('198.51.100.1, 203.0.113.7')).toBe(200);
      expect(await statusOf('203.0.113.7, 198.51.100.1')).toBe(401);
      expect(await statusOf(TERMINATOR)).toBe(401);
    });

    it('nor the one that a caller of the terminator’s own private network has written', async () => {
      const statusOf = async (seen: string, written: string) =>
        (
          await ask('/api/user/token', {
            authorization: `Bearer ${token}`,
            'x-forwarded-proto': 'https',
            'x-forwarded-for': `${written}, ${seen}`,
          })
        ).status;
      expect(await statusOf('10.1.2.3', '198.51.100.1')).toBe(200);
      for (const seen of ['10.9.9.9', '172.16.0.9', '192.168.7.7', 'fd00::9', '127.0.0.9'])
        for (const written of ['203.0.113.7', '203.0.113.7, 10.9.9.8', '10.1.2.3'])
          expect([seen, written, await statusOf(seen, written)]).toEqual([seen, written, 401]);
    });

    it('a stranger who is not a terminator reaches nothing', async () => {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
      for (const path of ['/panel/sign-in', '/api/user/token', '/openapi.json', '/health/ready', ALIVE]) {
        const { status, headers: answered } = await ask(path, headers, '127.0.0.3');
        expect([status, answered['x-request-id']]).toEqual([403, undefined]);
      }
    });

    it('the terminator sees whether an instance lives', async () => {
      const { status, body } = await ask(ALIVE, { host: '10.0.0.1' });
      expect([status, JSON.parse(body)]).toEqual([200, { status: 'ok' }]);
    });

    const closed = [
      ...INNER.filter((path) => path !== ALIVE),
      '/health/live?a=b',
      '/HEALTH/live',
      '/health/live/',
      '//health/live',
    ];
    it.each(closed)('%s is not open', async (path) => {
      const { status, headers } = await ask(path, {});
      expect([status, headers['x-request-id']]).toEqual([404, undefined]);
    });

    it('the key of a link is in no log', async () => {
      await ask(`/panel/invitation?key=${KEY}`, { referer: `https://energy.example/panel/invitation?key=${KEY}` });
      await ask(`/r/${KEY}/receipt.json`, {});
      for (const uri of ['/panel/invitation', '/r//receipt.json'])
        await until(`the line of ${uri}`, async () => caddy.log.includes(`"uri":"${uri}"`));
      expect(caddy.log).not.toContain(KEY);
    });
  });

  it('the service sees no X-Forwarded-Host that a caller has written', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const echo = createServer((request, response) => response.end(String(seen.push(request.headers))));
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    const { port } = echo.address() as AddressInfo;
    const caddy = await Caddy.open(join(FOLDER, 'behind-terminator.Caddyfile'), {
      TERMINATOR: '127.0.0.1',
      UPSTREAMS: `127.0.0.1:${port}`,
    });
    const headers = { host: 'energy.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    await send(plainRequest, { ...AT, port: caddy.ports.http, path: '/panel', headers });
    await caddy.close();
    echo.close();
    const asked = seen.filter(({ host }) => host === 'energy.example');
    expect(asked).toEqual([expect.objectContaining({ 'x-forwarded-proto': 'https' })]);
    expect(asked[0]).not.toHaveProperty('x-forwarded-host');
  });

  it('one command sets it up on a Debian, and once more it changes it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'debian-'));
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    for (const name of ['apt-get', 'systemctl']) {
      writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >>${folder}/called\n`);
      chmodSync(join(programs, name), 0o755);
    }
    const install = (env: Record<string, string>) =>
      execFileSync(join(FOLDER, 'install'), {
        env: { PATH: `${programs}:${process.env['PATH']}`, DESTDIR: folder, ...env },
        stdio: 'pipe',
      }).toString();
    const written = (path: string) => readFileSync(join(folder, 'etc', path), 'utf8');

    expect(() => install({})).toThrow('the address that browsers use');
    expect(() => install({ PUBLIC_URL: 'http://energy.example' })).toThrow('begins with https://');
    expect(install({ PUBLIC_URL: 'https://energy.example' })).toContain('https://energy.example is being set up');
    expect(readFileSync(join(folder, 'called'), 'utf8').split('\n')).toEqual([
      'apt-get -qq update',
      'apt-get -qq -y install --no-install-recommends ca-certificates caddy',
      'systemctl daemon-reload',
      'systemctl enable caddy',
      'systemctl restart caddy',
      '',
    ]);
    expect(written('caddy/Caddyfile')).toBe(readFileSync(join(FOLDER, 'Caddyfile'), 'utf8'));
    expect(written('caddy/energy-delegation.env')).toBe('PUBLIC_URL="https://energy.example"\n');
    expect(written('systemd/system/caddy.service.d/energy-delegation.conf')).toContain(
      'EnvironmentFile=/etc/caddy/energy-delegation.env',
    );
    expect(readdirSync(join(folder, 'etc', 'caddy'))).not.toContain('Caddyfile.before');
    install({ PUBLIC_URL: 'https://energy.example/', TERMINATOR: '203.0.113.10 10.1.0.0/16' });
    expect(written('caddy/Caddyfile')).toContain('remote_ip {$TERMINATOR}');
    expect(written('caddy/energy-delegation.env')).toBe(
      'PUBLIC_URL="https://energy.example"\nTERMINATOR="203.0.113.10 10.1.0.0/16"\n',
    );
    // Sites of others are kept, each time.
    for (const [sites, before] of [
      ['a.example {\n}\n', 'Caddyfile.before'],
      ['b.example {\n}\n', 'Caddyfile.before.~1~'],
    ] as const) {
      writeFileSync(join(folder, 'etc', 'caddy', 'Caddyfile'), sites);
      expect(install({ PUBLIC_URL: 'https://energy.example' })).toContain('Caddyfile.before now');
      expect(written(`caddy/Caddyfile`)).toBe(readFileSync(join(FOLDER, 'Caddyfile'), 'utf8'));
      expect(readdirSync(join(folder, 'etc', 'caddy'))).toContain(before);
    }
    expect([written('caddy/Caddyfile.before.~1~'), written('caddy/Caddyfile.before')]).toEqual([
      'a.example {\n}\n',
      'b.example {\n}\n',
    ]);
    rmSync(folder, { recursive: true });
  });
});

describe('the proxy of compose', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compose-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const start = (env: Record<string, string>) => {
    const program = join(folder, 'caddy');
    writeFileSync(program, '#!/bin/sh\necho "$PUBLIC_URL $3"\n');
    chmodSync(program, 0o755);
    const { status, stdout, stderr } = spawnSync('sh', [join(FOLDER, 'start')], {
      env: { PATH: `${folder}:${process.env['PATH']}`, ...env },
      encoding: 'utf8',
    });
    return status === 0 ? stdout.trim() : stderr.trim();
  };

  it.each([
    ['https://energy.example', 'https://energy.example'],
    ['https://energy.example/', 'https://energy.example'],
    ['https://[::1]/', 'https://[::1]'],
    ['https://10.0.0.4', 'https://10.0.0.4'],
  ])('serves %s as %s', (given, served) =>
    expect(start({ PUBLIC_URL: given })).toBe(`${served} ${join(FOLDER, 'Caddyfile')}`),
  );

  it.each([
    ['http://energy.example', 'begins with https://'],
    ['energy.example', 'begins with https://'],
    ['https://', 'begins with https://'],
    ['https:///', 'begins with https://'],
    ['https://energy.example/panel', 'ends with a host'],
    ['https://energy.example//', 'ends with a host'],
    ['https://energy.example?a', 'ends with a host'],
    ['https://a.example, https://b.example', 'ends with a host'],
    ['https://energy.example:8443', 'has a port'],
    ['https://[::1]:8443/', 'has a port'],
  ])('does not start with %s', (given, why) => expect(start({ PUBLIC_URL: given })).toContain(why));

  it('takes the address of a terminator in front as it is', () =>
    expect(start({ PUBLIC_URL: 'https://energy.example:8443', CADDYFILE: 'behind-terminator.Caddyfile' })).toBe(
      `https://energy.example:8443 ${join(FOLDER, 'behind-terminator.Caddyfile')}`,
    ));

  it('is started by that', () => {
    const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
    const proxy = compose.slice(compose.indexOf('\n  proxy:'), compose.indexOf('\nvolumes:'));
    for (const line of ['command: [sh, /etc/caddy/start]', '- ./deploy/caddy:/etc/caddy:ro'])
      expect(proxy).toContain(`${line}\n`);
  });
});

describe('the proxy that was there before', () => {
  // In two parts, or this file would name it.
  const NAME = new RegExp(['ng', 'inx'].join(''), 'i');

  it('is named by no page and no file, but by the history in CHANGELOG.md', () => {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT }).toString().trim();
    const naming = files
      .split('\n')
      .filter((path) => path !== 'CHANGELOG.md')
      .filter((path) => {
        try {
          return NAME.test(readFileSync(join(ROOT, path), 'utf8')) || NAME.test(path);
        } catch {
          return false;
        }
      });
    expect(naming).toEqual([]);
    expect(readdirSync(join(ROOT, 'deploy'))).toContain('caddy');
  });
});

/** In compose only Caddy reaches the instances, as only the Caddy of these tests reaches theirs. */
function trustProxyOfCompose(): string {
  return /^ {4}TRUST_PROXY: '?([^'\n]+)'?$/m.exec(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'))![1]!;
}

const AT = { host: '127.0.0.1', servername: 'localhost', headers: {} };

async function send(
  request: typeof plainRequest,
  options: RequestOptions & { servername?: string; ca?: string },
  body = '',
): Promise<Answer> {
  const headers = { host: 'localhost', ...(options.headers as Record<string, string>) };
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, headers, agent: false }, (answer) => {
      text(answer).then((said) => resolve({ status: answer.statusCode!, headers: answer.headers, body: said }), reject);
    });
    sent.once('error', reject).end(body);
  });
}
