import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROL_ROUTES } from '../../local-chain/src/control/control.routes';
import { FAULT_KINDS } from '../../local-chain/src/control/fault.plan';
import { Child } from '../support/child';
import { TestChain } from './chain.fixture';

const ROOT = join(__dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'local-chain', 'README.md'), 'utf8');

describe('local-chain/README.md', () => {
  it('has examples that run as they stand, one after the other', async () => {
    const examples = [...PAGE.matchAll(/^```js run\n(.*?)^```$/gms)].map(([, code]) => code!);
    expect(examples.length).toBeGreaterThan(3);
    const { chain } = await TestChain.start();
    const program = `const assert = require('node:assert/strict');
      const chain = JSON.parse(process.env.CHAIN);
      (async () => { ${examples.join('\n')}; console.log('all of it'); })();`;
    const child = new Child(
      ['-e', program],
      { CHAIN: JSON.stringify({ url: chain.url, accounts: chain.accounts }) },
      ROOT,
    );
    expect(await child.ended).toMatchObject({ stderr: '', stdout: 'all of it\n', code: 0 });
    await chain.close?.();
  });

  it('names every kind of fault and every control route', () => {
    for (const kind of FAULT_KINDS) expect(PAGE).toContain(`\`${kind}\``);
    for (const name of CONTROL_ROUTES.keys()) expect(PAGE).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm'));
  });
});
