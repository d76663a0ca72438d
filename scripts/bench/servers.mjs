import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from '../ensure-build.mjs';
import { load } from '../scratch-database.mjs';

export const BUILD = ensureBuild();
const START_TIMEOUT_MS = 60_000;
const endings = [];
/** Done by `stopAll`, the last one first. */
export const onEnd = (end) => endings.push(end);

/** A real server with everything that it does for safety left on. */
export async function startPostgres() {
  const directory = scratchDirectory();
  const server = await load('src/database/embedded/embedded-postgres').acquireEmbeddedPostgres(directory, {
    max_connections: '200',
  });
  endings.push(async () => {
    await server.release();
    rmSync(join(server.dataDirectory, '..'), { recursive: true, force: true });
  });
  await load('src/database/migrate-database').migrateDatabase({ url: server.url });
  return server;
}

export async function startChain(env = {}, ...args) {
  const chain = run([join(BUILD, 'local-chain/src/main.js'), '--port', '0', '--control', ...args], env);
  const lines = createInterface({ input: chain.process.stdout });
  const [line] = await once(lines, 'line', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  return { ...chain, ...JSON.parse(line) };
}

/** `nodeArguments` are Node's own, before the program. */
export function startService(env, nodeArguments = []) {
  return startHttp([...nodeArguments, join(BUILD, 'src/main.js')], { PORT: '0', ...env });
}

export function startBare() {
  return startHttp([fileURLToPath(new URL('bare-app.mjs', import.meta.url))], {});
}

/** Started when it has printed its URL. */
async function startHttp(program, env) {
  const server = run(program, env);
  let output = '';
  const url = await new Promise((resolve, reject) => {
    server.process.stdout.on('data', (data) => {
      output += data;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output.replace(/^\s*(?:Database|Chain).*$/gm, ''));
      if (found) resolve(found[0]);
    });
    void server.ended.then(() => reject(new Error(`${program.at(-1)} ended:\n${output}`)));
  });
  return { ...server, url };
}

/** A Node program with nothing of this one's environment but the path to its tools. */
export function run(args, env = {}) {
  const child = spawn(process.execPath, args, {
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const stop = () => child.exitCode === null && child.signalCode === null && child.kill('SIGTERM');
  endings.push(async () => {
    stop();
    await Promise.race([ended, sleep(10_000)]);
    if (child.exitCode === null) child.kill('SIGKILL');
  });
  return { process: child, ended, stop, rssMb: () => rssMb(child.pid) };
}

function rssMb(pid) {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line[1]) / 1024);
}

export function scratchDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'energy-delegation-bench-'));
  // Root's server runs as another user, who must get in.
  chmodSync(directory, 0o755);
  endings.push(async () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export async function stopAll() {
  for (const end of endings.splice(0).toReversed()) await end().catch((error) => process.stderr.write(`${error}\n`));
}
