import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { Child } from './child';
import { freePort } from './free-port';
import { until } from './until';

const ROOT = join(__dirname, '..', '..');

const PROGRAM = ensureCaddy();

/** Debian's; null where it cannot be had, which the script has said. */
function ensureCaddy(): string | null {
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'ensure-caddy.mjs')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return status === 0 ? stdout.trim() : null;
}

/** On a machine without it these tests are left out, and the script above has said so; in CI that is a failure. */
export const describeWithCaddy = PROGRAM !== null || process.env['CI'] ? describe : describe.skip;

const TAKEN = 'address already in use';

interface AdaptedConfiguration {
  storage?: object;
  apps: {
    http: { http_port?: number; https_port?: number; servers: Record<string, { listen: string[] }> };
  };
}

/** The real Caddy with a file of `deploy/caddy`, on ports and a folder of the test's own. */
export class Caddy {
  private constructor(
    readonly ports: { readonly http: number; readonly https: number },
    private readonly folder: string,
    private readonly child: Child,
  ) {}

  /** @param file as it is shipped: of all that it says, where Caddy listens and keeps its certificates is changed alone */
  static async open(file: string, env: Record<string, string>): Promise<Caddy> {
    if (PROGRAM === null) throw new Error('Caddy is missing: apt-get install caddy');
    const folder = mkdtempSync(join(tmpdir(), 'caddy-'));
    const ports = { http: await freePort(), https: await freePort() };
    const own = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...env };
    const adapted = execFileSync(PROGRAM, ['adapt', '--adapter', 'caddyfile', '--config', file], { env: own });
    const configuration = JSON.parse(adapted.toString()) as AdaptedConfiguration;
    const { http } = configuration.apps;
    Object.assign(http, { http_port: ports.http, https_port: ports.https });
    const places: Record<string, string> = { ':80': `127.0.0.1:${ports.http}`, ':443': `127.0.0.1:${ports.https}` };
    for (const server of Object.values(http.servers)) server.listen = server.listen.map((at) => places[at] ?? at);
    configuration.storage = { module: 'file_system', root: join(folder, 'storage') };
    const path = join(folder, 'caddy.json');
    writeFileSync(path, JSON.stringify(configuration));
    const child = new Child(['run', '--config', path], { HOME: folder, ...env }, folder, { program: PROGRAM });
    const caddy = new Caddy(ports, folder, child);
    await until(
      () => `Caddy: ${caddy.log}`,
      async () => child.stderr.includes('serving initial configuration') || child.stderr.includes(TAKEN),
    );
    if (!child.stderr.includes(TAKEN)) return caddy;
    // Between the look for a free port and its use another test may have taken it.
    await caddy.close();
    return Caddy.open(file, env);
  }

  /** The certificate of the authority inside Caddy, once Caddy answers with one that it has signed. */
  async root(): Promise<string> {
    const path = join(this.folder, 'storage', 'pki', 'authorities', 'local', 'root.crt');
    // Caddy logs a certificate as obtained before it can answer with it, and until then aborts the handshake.
    await until(
      () => `a certificate: ${this.log}`,
      async () => existsSync(path) && handshakeSucceeds(this.ports.https, readFileSync(path)),
    );
    return readFileSync(path, 'utf8');
  }

  /** All that it has logged. */
  get log(): string {
    return this.child.stderr + this.child.stdout;
  }

  async close(): Promise<void> {
    await this.child.stop('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function handshakeSucceeds(port: number, ca: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ca });
    const end = (succeeded: boolean) => {
      socket.destroy();
      resolve(succeeded);
    };
    socket.once('secureConnect', () => end(true)).once('error', () => end(false));
  });
}
