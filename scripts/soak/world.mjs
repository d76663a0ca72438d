// Database, chain and two instances, all on the fast clock.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { populate } from '../bench/population.mjs';
import { BUILD, onEnd, run, scratchDirectory, startChain, startService } from '../bench/servers.mjs';
import { load } from '../scratch-database.mjs';
import { LONGEST_WAIT_MS, within } from './within.mjs';

const INSTANCES = 2;
const WALLETS = 3;
const STARTS = 4;
/** An audit reads all that the run has left. */
const LONGEST_COMMAND_MS = 600_000;
/**
 * V8's young generation at one size: by itself it grows and shrinks by more than 100 MB, between one order and the next, and nothing that
 * leaks outside the heap would be seen.
 */
const MEASURE_HEAP = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--expose-gc',
  '--require',
  fileURLToPath(new URL('measure-heap.cjs', import.meta.url)),
];

/** What the service stands on. */
export async function startGround(clock) {
  const [database, chain] = await Promise.all([startPostgres(clock), startChain(clock.env())]);
  const population = await populate(database, chain, { balanceCallers: 0, payers: 20, wallets: WALLETS });
  const client = new pg.Pool({ connectionString: database.url, max: 2, query_timeout: LONGEST_WAIT_MS });
  client.on('error', (error) => process.stderr.write(`${error}\n`));
  onEnd(() => client.end());
  const env = {
    DATABASE_URL: database.url,
    TRON_FULL_NODE_URLS: chain.url,
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '1000000',
    WEBHOOK_ALLOW_PRIVATE: 'on',
  };
  return { clock, database, chain, client, env, ...population };
}

/** Each with a role of its own, by which its sessions are known. */
export async function startInstances({ clock, client, env }) {
  const instances = [];
  for (let at = 1; at <= INSTANCES; at++) {
    const [name, role, password] = [`instance ${at}`, `instance_${at}`, randomBytes(16).toString('hex')];
    await client.query(`create role ${role} login superuser password '${password}'`);
    const url = Object.assign(new URL(env.DATABASE_URL), { username: role, password });
    const metricsPort = await freePort();
    const settings = () => ({ ...env, DATABASE_URL: url.href, METRICS_PORT: String(metricsPort), ...clock.env() });
    const started = await startPatiently(name, settings);
    instances.push({ ...started, name, role, metricsPort });
  }
  return instances;
}

/** A connection that takes the machine half a second is given up on the fast clock, and the start with it. */
async function startPatiently(name, settings) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await within(`the start of ${name}`, startService(settings(), MEASURE_HEAP));
    } catch (error) {
      if (attempt === STARTS) throw error;
    }
  }
}

/** The exit code of a command, on the same clock. */
export async function command({ clock, env }, ...words) {
  const { process: child } = run([join(BUILD, 'src/cli/main.js'), ...words], { ...env, ...clock.env() });
  let said = '';
  child.stdout.on('data', (data) => (said += data));
  const [code] = await within(words.join(' '), once(child, 'exit'), LONGEST_COMMAND_MS);
  return { code, said };
}

async function startPostgres(clock) {
  const cluster = await load('src/database/embedded/cluster').openCluster(scratchDirectory());
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port, max_connections: 100 };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(cluster.postgres, ['-D', cluster.dataDirectory, ...flags], {
    ...cluster.runAs,
    cwd: '/',
    stdio: 'ignore',
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin', ...clock.env() },
  });
  const ended = once(server, 'exit');
  onEnd(async () => {
    server.kill('SIGINT');
    await within('the end of PostgreSQL', ended, 20_000).catch(() => server.kill('SIGKILL'));
  });
  const url = `postgresql://postgres:${cluster.password}@127.0.0.1:${port}/postgres`;
  const lastMs = Date.now() + LONGEST_WAIT_MS;
  while (!(await answers(url))) {
    if (server.exitCode !== null || Date.now() > lastMs)
      throw new Error('PostgreSQL does not start on the fast clock.');
    await sleep(100);
  }
  await load('src/database/migrate-database').migrateDatabase({ url });
  return { url };
}

async function answers(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
