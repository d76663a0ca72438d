// npm run bench -- --only deposits: what the scanner of deposits adds to reading and proving the same block, in processor time of the service.
import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { HDKey } from '@scure/bip32';
import pg from 'pg';
import { utils } from 'tronweb';
import { load } from '../scratch-database.mjs';
import { startChain, startPostgres } from './servers.mjs';

const TRANSACTIONS = 300;
const ADDRESSES = 10_000;
const BLOCKS = 120;
const WARM_UP = 60;
const AT_ONCE = 20;
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const EXPIRATION_MS = 3_600_000;

/** Each block read over HTTP and proved, then scanned as a head and as a final block; every other one has a payment to a customer. Medians. */
export async function measureDepositScan() {
  const [database, chain] = await Promise.all([startPostgres(), startChain({}, '--block', 'manual')]);
  const account = HDKey.fromMasterSeed(Buffer.alloc(64, 7)).derive("m/44'/195'/0'");
  const configuration = load('config/load-configuration').loadConfiguration({
    DATABASE_URL: database.url,
    TRON_FULL_NODE_URLS: chain.url,
    DEPOSIT_XPUB: account.publicExtendedKey,
    LOG_LEVEL: 'warn',
  });
  const customers = await giveAddresses(database, configuration.deposits.account.fingerprint);
  const first = await makeBlocks(chain, customers);
  const app = await openRooms(configuration);
  try {
    return await measureOn(app, chain.url, first);
  } finally {
    await app.close();
    chain.stop();
  }
}

async function measureOn(app, url, first) {
  const get = (path, name) => app.get(load(path)[name], { strict: false });
  const sql = get('src/database/sql', 'Sql');
  const reads = get('src/chain/tron/node/block-reads', 'BlockReads');
  const scanner = get('src/deposits/deposit-scanner', 'DepositScanner');
  const credits = get('src/deposits/credit-deposits', 'CreditDeposits');
  const [read, without, withPayment] = [[], [], []];
  for (let number = first; number < first + BLOCKS; number++) {
    const isWarm = number - first >= WARM_UP;
    let shown;
    const readMs = await cpuMs(async () => ([shown] = await reads.blocks(url, number, number)));
    if (shown.body?.owners.size !== TRANSACTIONS) throw new Error(`block ${number} is not proved in full`);
    const final = { ...shown.header, transactions: null, isUnproved: false };
    const scanMs = await cpuMs(async () => {
      await scanner.onHead({ ...shown.header, ...shown.body });
      await sql.transaction((tx) => scanner.onFinal(final, tx));
    });
    // The first one derives the addresses beyond the last, once in a process.
    if (isWarm) read.push(readMs);
    if (isWarm) (hasPayment(number - first) ? withPayment : without).push(scanMs);
  }
  await credits.run();
  const credited = load('src/database/statement').statement(
    'bench_deposits',
    `select count(*)::int as count from deposits where state = 'credited'`,
  );
  const { count } = await sql.row(credited);
  if (count !== BLOCKS / 2) throw new Error(`${count} deposits were credited`);
  return { readMs: median(read), scanMs: median(without), paymentMs: median(withPayment) };
}

const hasPayment = (block) => block % 2 === 1;

/** The command line's rooms: no background work of their own uses the processor meanwhile. */
async function openRooms(configuration) {
  const { startForCommandLine } = load('src/bootstrap/start-infrastructure');
  const infrastructure = await startForCommandLine(configuration);
  const module = load('src/cli/cli.module').CliModule.with(infrastructure);
  return NestFactory.createApplicationContext(module, { logger: ['error'] });
}

async function cpuMs(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** Those of the customers who pay; the others only fill the table. */
async function giveAddresses({ url }, fingerprint) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ids = Array.from({ length: ADDRESSES }, () => randomUUID());
  const addresses = ids.map((_, at) => addressOf(at));
  await client.query(
    `insert into users (id, email, name) select id, id || '@example.com', 'bench' from unnest($1::uuid[]) as id`,
    [ids],
  );
  await client.query('insert into accounts (user_id) select unnest($1::uuid[])', [ids]);
  await client.query(
    `insert into deposit_addresses (address, hex, account, number, user_id)
     select base58, hex, $1, number - 1, id
       from unnest($2::uuid[], $3::text[], $4::text[]) with ordinality as a (id, hex, base58, number)`,
    [fingerprint, ids, addresses, addresses.map((hex) => utils.address.fromHex(hex))],
  );
  await client.query(`insert into deposit_rates (sun_per_usdt, since) values (3000000, now() - interval '1 hour')`);
  await client.query('vacuum analyze');
  await client.end();
  return addresses;
}

/** `41…` in hex: of no key, as far as anyone knows. */
const addressOf = (number) => `41${(0xbe4c000000 + number).toString(16).padStart(40, '0')}`;

/** Half of the transactions transfer TRX, half call USDT. */
async function makeBlocks(chain, customers) {
  const rich = chain.accounts.find(({ role }) => role === 'rich');
  const owner = utils.address.toHex(rich.address);
  let first = null;
  for (let block = 0; block < BLOCKS; block++) {
    const head = await ask(chain, 'wallet/getnowblock');
    const left = Array.from({ length: TRANSACTIONS }, (_, at) => at);
    const send = async () => {
      for (let at = left.shift(); at !== undefined; at = left.shift()) {
        const isPayment = at === block && hasPayment(block);
        const to = isPayment ? customers[block * 37] : addressOf(ADDRESSES + at);
        await broadcast(chain, rich.private_key, rawOf(head, owner, to, 1_000_001 + at, at % 4 < 2));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    await ask(chain, 'control/block', { count: 1 });
    first ??= head.block_header.raw_data.number + 1;
  }
  return first;
}

const word = (hex) => hex.padStart(64, '0');

function rawOf(head, owner, to, amount, isTrx) {
  const value = isTrx
    ? { owner_address: owner, to_address: to, amount }
    : {
        owner_address: owner,
        contract_address: utils.address.toHex(USDT),
        data: `a9059cbb${word(to.slice(2))}${word((10 * amount).toString(16))}`,
      };
  const type = isTrx ? 'TransferContract' : 'TriggerSmartContract';
  const { number, timestamp } = head.block_header.raw_data;
  return {
    contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
    ref_block_bytes: number.toString(16).padStart(4, '0').slice(-4),
    ref_block_hash: head.blockID.slice(16, 32),
    expiration: timestamp + EXPIRATION_MS,
    timestamp,
    ...(!isTrx && { fee_limit: 100_000_000 }),
  };
}

async function broadcast(chain, key, raw) {
  const message = utils.transaction.txJsonToPb({ raw_data: raw });
  const txID = utils.transaction.txPbToTxID(message).replace(/^0x/, '');
  const signature = [load('src/chain/transactions/signing/sign-digest').signDigest(txID, key)];
  const sent = { raw_data: raw, raw_data_hex: utils.transaction.txPbToRawDataHex(message), txID, signature };
  const answer = await ask(chain, 'wallet/broadcasttransaction', sent);
  if (answer.result !== true) throw new Error(`the chain did not take a payment: ${JSON.stringify(answer)}`);
}

async function ask({ url }, route, body = {}) {
  const answer = await fetch(`${url}/${route}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
