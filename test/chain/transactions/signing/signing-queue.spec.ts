import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { SignerConnection } from '../../../../src/chain/transactions/signer-process/signer-connection';
import { SigningQueue } from '../../../../src/chain/transactions/signer-process/signing-queue';

const SIGNED = { txid: 'ab'.repeat(32), signature: 'cd'.repeat(65) };
const TIMEOUT_MS = 50;

describe('requests that wait for a signature', () => {
  const folder = mkdtempSync(join(tmpdir(), 'queue-'));
  const path = join(folder, 'socket');
  const arrived = new Set<() => void>();
  /** How many requests each POST has had. */
  const counts: number[] = [];
  let server: Server;
  let connection: SignerConnection;
  let queue: SigningQueue;

  beforeEach(async () => {
    server = createServer((incoming, response) => {
      void json(incoming).then((body) => {
        const { requests } = body as { requests: { key: string }[] };
        counts.push(requests.length);
        for (const tell of arrived) tell();
        if (requests.some(({ key }) => key === 'hung')) return;
        response.end(JSON.stringify({ results: requests.map(() => SIGNED) }));
      });
    }).listen(path);
    await once(server, 'listening');
    connection = new SignerConnection({ kind: 'unix', path });
    queue = new SigningQueue(connection, TIMEOUT_MS);
  });
  afterEach(async () => {
    connection.close();
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are asked for in as many POSTs as their number takes, a hundred in each', async () => {
    counts.length = 0;
    const patient = new SigningQueue(connection, 5_000);
    const results = await Promise.all(Array.from({ length: 250 }, (_, at) => patient.sign('good', String(at))));
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['signed']));
    expect(counts).toEqual([100, 100, 50]);
  });

  it('get one by another key than that which hangs, and none by that', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    arrived.add(resolve);
    const outcomes = [queue.sign('hung', '00')];
    await promise;
    outcomes.push(queue.sign('hung', '01'), queue.sign('good', '02'));
    const settled = await Promise.allSettled(outcomes);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it('get it while another key’s request is still under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    arrived.add(resolve);
    let isOver = false;
    const patient = new SigningQueue(connection, 5_000);
    const hung = patient.sign('hung', '00').catch(() => (isOver = true));
    await promise;
    expect(await patient.sign('good', '01')).toMatchObject({ kind: 'signed' });
    expect(isOver).toBe(false);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await hung;
  });

  it('are refused together when no signer listens', async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    const settled = await Promise.allSettled(['a', 'b'].map((key) => queue.sign(key, '00')));
    expect(settled.map((one) => one.status === 'rejected' && (one.reason as Error).message)).toEqual([
      'the signer gave no answer: ENOENT',
      'the signer gave no answer: ENOENT',
    ]);
  });
});
