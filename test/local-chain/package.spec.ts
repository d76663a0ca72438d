import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../support/child';
import { type PackedPackage, packPackage } from '../support/packed-package';

const ROOT = join(__dirname, '..', '..');
/** A test of a stranger's, beside no file of this repository. */
const STRANGER = `import { startLocalChain, type LocalChain } from 'tron-local-chain';
const chain: LocalChain = await startLocalChain({ block: 'manual', control: true, port: 0 });
await fetch(\`\${chain.url}/control/block\`, { method: 'POST' });
const head = await (await fetch(\`\${chain.url}/wallet/getnowblock\`)).json();
console.log(chain.accounts.map(({ role }) => role).join(), head.block_header.raw_data.number);
await chain.close?.();
`;

describe('the local chain as a package', () => {
  let chain: PackedPackage;
  beforeAll(async () => {
    chain = await packPackage('local-chain');
    for (const name of ['tronweb', 'secp256k1'])
      symlinkSync(join(ROOT, 'node_modules', name), join(chain.directory, 'node_modules', name));
  });
  afterAll(() => chain.remove());

  it('starts by its command, with nothing of this repository but itself', async () => {
    const place = join(chain.directory, 'node_modules', 'tron-local-chain');
    const { bin } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { bin: Record<string, string> };
    const command = join(place, bin['tron-local-chain']!);
    // As npm does with each command of a package; a shell then runs it by its first line.
    chmodSync(command, 0o755);
    const child = new Child(['--port', '0'], {}, chain.directory, { program: command });
    const { url } = JSON.parse((await child.waitFor(/^\{.*\}$/m))[0]) as { url: string };
    const head = await fetch(`${url}/wallet/getnowblock`, { method: 'POST' });
    expect(await head.json()).toMatchObject({ block_header: { raw_data: { number: expect.any(Number) } } });
    expect(await child.interrupt()).toMatchObject({ code: 0, stderr: '' });
  });

  it('starts in the process of a test', async () => {
    writeFileSync(join(chain.directory, 'stranger.mts'), STRANGER);
    const child = new Child(['stranger.mts'], {}, chain.directory);
    expect(await child.ended).toEqual({ code: 0, stdout: 'pool,activate,rich 2\n', stderr: '' });
  });
});
