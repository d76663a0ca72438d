import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** The floor: what the order path writes, order by order, with nothing around it. */
export function runRawSql(url, { payerIds, wallets, receivers }, { connections, seconds }) {
  const workerData = { url, payerIds, wallets, receivers, connections, seconds };
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(new URL('raw-sql.worker.mjs', import.meta.url)), { workerData });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
