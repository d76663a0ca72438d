// npm run demonstrate: while `npm start` runs, a customer sends USDT and burns no TRX for it. DATA_DIR as the service has it, which keeps
// there where it listens; API_URL where it is reached otherwise.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TronWeb, utils } from 'tronweb';
import { ensureBuild } from './ensure-build.mjs';

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const ONE_USDT = 1_000_000;

async function main() {
  // As the service reads them, `.env` too.
  const { readEnvironment } = createRequire(import.meta.url)(join(ensureBuild(), 'config', 'environment.js'));
  const settings = readEnvironment();
  const read = (...path) => JSON.parse(readFileSync(join(settings.DATA_DIR || '.data', ...path), 'utf8'));
  const { token, url: kept } = read('demo.json');
  const api = (settings.API_URL || kept || `http://127.0.0.1:${settings.PORT || 3000}`).replace(/\/+$/, '');
  // Before anything is moved: a stranger's service may answer there, or none.
  await call('/api/user/token');
  const { url, accounts } = read('local-chain', 'endpoint.json');
  const wallet = (privateKey) => new TronWeb({ fullHost: url, privateKey });
  const rich = wallet(accounts.find(({ role }) => role === 'rich').private_key);
  const customer = wallet(utils.accounts.generateAccount().privateKey.replace(/^0x/, ''));
  const sender = customer.defaultAddress.base58;
  const recipient = utils.accounts.generateAccount().address.base58;

  say('A customer with 30 TRX and 10 USDT', sender);
  await inBlock(rich, await rich.transactionBuilder.sendTrx(sender, 30_000_000));
  await sendUsdt(rich, sender, 10 * ONE_USDT);
  say('wants to send 5 USDT to an address that has none', recipient);

  const query = new URLSearchParams({ receiver_address: sender, to: recipient, value: 5 * ONE_USDT, only_missing: 1 });
  const quote = (await call(`/api/chain/quote?${query}`)).data;
  say(
    '1. Quote',
    `${quote.transfer.energy} energy: ${quote.amount} transactions for ${quote.cost} TRX (${quote.paid_by} pays); burned it would cost ${quote.burn_cost} TRX`,
  );

  const order = await call('/api/chain/delegate-resource', { receiver_address: sender, amount: quote.amount });
  say('2. Order', `${order.message}, ${order.txid}`);

  const before = await customer.trx.getUnconfirmedBalance(sender);
  const { receipt } = await sendUsdt(customer, recipient, 5 * ONE_USDT);
  const burned = before - (await customer.trx.getUnconfirmedBalance(sender));
  say('3. Transfer', `${receipt.result}, ${receipt.energy_usage} energy used`);
  say('TRX burned', String(burned / 1_000_000));
  if (receipt.result !== 'SUCCESS' || burned !== 0) process.exitCode = 1;

  async function call(path, body) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(
      api + path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    const answer = await response.json().catch(() => null);
    if (!answer?.success) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }
}

async function sendUsdt(tronWeb, to, amount) {
  const parameters = [
    { type: 'address', value: to },
    { type: 'uint256', value: amount },
  ];
  const method = 'transfer(address,uint256)';
  const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
    USDT,
    method,
    { feeLimit: 50_000_000 },
    parameters,
  );
  return inBlock(tronWeb, transaction);
}

/** Its info once a block has it. */
async function inBlock(tronWeb, unsigned) {
  const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned));
  if (!sent.result) throw new Error(`refused: ${JSON.stringify(sent)}`);
  for (;;) {
    const info = await tronWeb.trx.getUnconfirmedTransactionInfo(sent.txid);
    if (info.id) return info;
    await sleep(100);
  }
}

function say(what, text) {
  process.stdout.write(`${`${what}:`.padEnd(52)}${text}\n`);
}

await main().catch((error) => {
  process.stderr.write(`${error.message}\nIs npm start running here, on the local chain?\n`);
  process.exitCode = 1;
});
