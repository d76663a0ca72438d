import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { quantile } from './report.mjs';
import { populate } from './population.mjs';
import { BUILD, run, scratchDirectory, startService } from './servers.mjs';

/** Short ones: what else the machine does meanwhile meets both ways alike. */
const ROUNDS = 250;
const ORDERS_A_ROUND = 4;
const WARM_UP_ROUNDS = 50;

/** Orders one after the other, signed within and by a signer on a Unix socket in turn: the same process, wallet and callers for both. */
export async function measureSigner(database, chain, settings) {
  const population = await populate(database, chain, { balanceCallers: 1, payers: 50, wallets: 1 });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const [wallet] = (await client.query('select id, address, key_source from pool_wallets')).rows;
  const signer = await startSigner(wallet);
  const service = await startService({
    ...settings,
    DATABASE_URL: database.url,
    TRON_FULL_NODE_URLS: chain.url,
    SIGNER_URL: `unix:${signer.socket}`,
  });
  const sources = { within: wallet.key_source, socket: 'signer:bench' };
  const taken = { within: [], socket: [] };
  let turn = 0;
  const round = async (source, times) => {
    await client.query('update pool_wallets set key_source = $1', [sources[source]]);
    for (let order = 0; order < ORDERS_A_ROUND; order++) times.push(await timeOrder(service.url, population, turn++));
  };
  for (let at = 0; at < WARM_UP_ROUNDS + ROUNDS; at++)
    for (const source of Object.keys(sources)) await round(source, at < WARM_UP_ROUNDS ? [] : taken[source]);
  await client.end();
  service.stop();
  await service.ended;
  signer.stop();
  const [within, socket] = [taken.within, taken.socket].map((times) => {
    const sorted = times.toSorted((one, other) => one - other);
    // The fastest twentieth shows what the way itself costs where other programs want the processors too.
    return { p5: quantile(sorted, 0.05), p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
  });
  return {
    within,
    socket,
    laterMs: socket.p50 - within.p50,
    fastestLaterMs: socket.p5 - within.p5,
    orders: taken.socket.length,
  };
}

async function startSigner({ address, key_source: source }) {
  const folder = scratchDirectory();
  const file = join(folder, 'bench.key');
  writeFileSync(file, readFileSync(source.slice('file:'.length)), { mode: 0o600 });
  const key = { id: 'bench', address, permission_id: 0, role: 'delegate', source: { file } };
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ keys: [key], state: join(folder, 'log') }), { mode: 0o600 });
  chmodSync(folder, 0o700);
  const socket = join(folder, 'socket');
  const signer = run([join(BUILD, 'signer/src/main.js'), '--config', config, '--socket', socket]);
  await new Promise((resolve, reject) => {
    let output = '';
    signer.process.stdout.on('data', (data) => (output += data).includes('listening on') && resolve());
    void signer.ended.then(() => reject(new Error(`the signer ended:\n${output}`)));
  });
  return { socket, stop: signer.stop };
}

async function timeOrder(url, { payerTokens, receivers }, turn) {
  const begun = performance.now();
  const response = await fetch(`${url}/api/chain/delegate-resource`, {
    method: 'POST',
    headers: { authorization: `Bearer ${payerTokens[turn % payerTokens.length]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ receiver_address: receivers[turn % receivers.length], amount: 1 }),
  });
  const answer = await response.text();
  if (response.status !== 200) throw new Error(`an order was answered ${response.status}: ${answer}`);
  return performance.now() - begun;
}
