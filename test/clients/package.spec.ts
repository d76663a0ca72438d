import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PackedPackage, packPackage } from '../support/packed-package';
import { runProgram } from '../support/program';

const ROOT = join(__dirname, '..', '..');
const NAMES = [
  'DepositTimeoutError',
  'EnergyClient',
  'EnergyError',
  'NoAnswerError',
  'OrderStateError',
  'WaitTimeoutError',
];
const ALL = [...NAMES, 'ReceiptError', 'WebhookError', 'verifyReceipt', 'verifyWebhook'];

/** As strict as a caller may be, and nothing skipped. */
const CONSUMER = `import { EnergyClient, type Order, verifyWebhook } from 'energy-delegation-client';
const client = new EnergyClient({ baseUrl: 'https://energy.example.com', token: 'eds_' });
export async function order(receiver_address: string): Promise<Order> {
  const { delegationId, cost } = await client.delegate({ receiver_address, amount: 1.5, time: 1440 });
  const spent: number | undefined = cost;
  const quote = await client.quote({ receiver_address, to: receiver_address, value: 10n ** 6n });
  if (quote.cost > (spent ?? 0)) throw new Error();
  // @ts-expect-error A field that the service does not have
  await client.delegate({ receiver_address, amount: 1, price: 3 });
  // @ts-expect-error A rental time that the service does not have
  await client.delegate({ receiver_address, amount: 1, time: 60 });
  return client.waitFor(delegationId, 'delegated');
}
export async function topUp(txid: string): Promise<number | null> {
  const { address, minimum } = await client.depositAddress();
  const [newest] = await client.deposits({ state: 'credited', limit: 1 });
  if (newest?.address !== address || newest.amount < minimum) throw new Error();
  return (await client.waitForDeposit(txid, { timeoutMs: 60_000 })).credited;
}
export function isFinal(body: Uint8Array, headers: Headers): boolean {
  const event = verifyWebhook(body, headers, ['whsec_a', 'whsec_b']);
  return event.type === 'delegation.delegated' && event.data.state === 'delegated';
}
`;

describe('the published TypeScript client', () => {
  let client: PackedPackage;
  beforeAll(async () => {
    client = await packPackage('clients/typescript');
  });
  afterAll(() => client.remove());

  it('brings what it runs with and what says how, and nothing else', () => {
    const files = globSync('**/*', { cwd: join(client.directory, 'node_modules', 'energy-delegation-client') });
    const wanted =
      /^(?:dist|dist\/receipt|dist\/[\w-]+\.(?:js|d\.ts)|dist\/receipt\/[\w-]+\.(?:mjs|d\.mts)|package\.json|README\.md|LICENSE)$/;
    expect(files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'README.md', 'LICENSE']));
    expect(files.filter((file) => !wanted.test(file))).toEqual([]);
  });

  it.each([
    ['import', `import * as client from 'energy-delegation-client';`, 'module'],
    ['require', `const client = require('energy-delegation-client');`, 'commonjs'],
  ])('is loaded by %s, without any dependency', async (_, load, type) => {
    const script = `${load} console.log(Object.keys(client).filter((name) => name !== '__esModule').join());`;
    const ran = await runProgram([process.execPath, `--input-type=${type}`, '--eval', script], {
      cwd: client.directory,
    });
    expect(ran).toEqual({ code: 0, stdout: `${[...ALL].sort((a, b) => (a < b ? -1 : 1)).join()}\n`, stderr: '' });
  });

  it('its types hold in a strict program that skips nothing', async () => {
    writeFileSync(join(client.directory, 'consumer.mts'), CONSUMER);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022'],
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules', '@types')],
    };
    writeFileSync(
      join(client.directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.mts'] }),
    );
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const compiled = await runProgram([process.execPath, tsc, '-p', '.'], { cwd: client.directory });
    expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
