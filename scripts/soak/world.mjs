// Database, chain and two instances, all on the fast clock.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { populate } from '../bench/population.mjs';
import { BUILD, onEnd, run, scratchDirectory, startChain, startService } from '../bench/servers.mjs';
import { load } from '../scratch-database.mjs';

const INSTANCES = 2;
const WALLETS = 3;
const MEASURE_HEAP = ['--expose-gc', '--require', fileURLToPath(new URL('measure-heap.cjs', import.meta.url))];

export async function startWorld(clock) {
  const [database, chain] = await Promise.all([startPostgres(clock), startChain(clock.env())]);
  const population = await populate(database, chain, { balanceCallers: 0, payers: 20, wallets: WALLETS });
  const env = {
    DATABASE_URL: database.url,
    TRON_FULL_NODE_URLS: chain.url,
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '1000000',
    WEBHOOK_ALLOW_PRIVATE: 'on',
  };
  const instances = [];
  for (let at = 0; at < INSTANCES; at++) {
    const metricsPort = await freePort();
    const settings = { ...env, METRICS_PORT: String(metricsPort), ...clock.env() };
    instances.push({ ...(await startService(settings, MEASURE_HEAP)), metricsPort });
  }
  const client = new pg.Pool({ connectionString: database.url, max: 2 });
  client.on('error', (error) => process.stderr.write(`${error}\n`));
  onEnd(() => client.end());
  return { clock, database, chain, instances, client, env, ...population };
}

/** The exit code of a command, on the same clock. */
export async function command({ clock, env }, ...words) {
  const { process: child } = run([join(BUILD, 'src/cli/main.js'), ...words], { ...env, ...clock.env() });
  let said = '';
  child.stdout.on('data', (data) => (said += data));
  const [code] = await once(child, 'exit');
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
    await ended;
  });
  const url = `postgresql://postgres:${cluster.password}@127.0.0.1:${port}/postgres`;
  while (!(await answers(url))) {
    if (server.exitCode !== null) throw new Error('PostgreSQL does not start on the fast clock.');
    await sleep(100);
  }
  await load('src/database/migrate-database').migrateDatabase({ url });
  return { url };
}

async function answers(url) {
  const client = new pg.Client({ connectionString: url });
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
