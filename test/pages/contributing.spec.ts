import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Host } from '../support/host';
import { type NotRun, Page } from '../support/page';

const ROOT = join(__dirname, '..', '..');

const NOT_RUN: NotRun = [
  [/^npm ci$/, 'downloads all libraries; .ci/run begins with it'],
  [/^\.ci\/run$/, 'the run that this test belongs to'],
  [/^npm test/, 'the run that this test belongs to, or a part of it'],
  [/^npm run check$/, 'a part of .ci/run'],
  [/^npm run format$/, 'npm run check compares what it would write'],
  [/^npm start$/, 'test/pages/readme.spec.ts'],
  [/^npm run demonstrate$/, 'test/pages/readme.spec.ts'],
  [/^npm run faults /, 'runs specs until one fails, for minutes'],
  [/^npm run simulate /, 'takes minutes; a share of its histories are specs'],
  [/^npm run clients:try$/, 'needs Java, PHP, Go and a download'],
  [/^npm run test:safety /, 'takes hours; its shares are specs'],
  [/^npm run soak /, 'takes minutes, and a package of Debian'],
];

/** Complete commands that find nothing to do. */
const REFUSED: Readonly<Record<string, string>> = {
  'npm run migration:create -- add-webhooks': 'The migrations already describe the entities.',
};

const WRITTEN = ['openapi.json', 'clients/typescript/src/schema.ts'];

describe('a reader of CONTRIBUTING', () => {
  const page = new Page('CONTRIBUTING.md', NOT_RUN);
  const host = new Host();
  afterAll(() => host.close());

  it('can type every command in a fresh clone, and what they write is what is there', async () => {
    for (const command of page.left) {
      const says = REFUSED[command];
      const expected = says === undefined ? { code: 0 } : { code: 1, stderr: expect.stringContaining(says) as string };
      expect({ command, ...(await host.shell(command, '/opt/energy-delegation')) }).toMatchObject(expected);
      page.sayRan(command);
    }
    const contents = (root: string) => WRITTEN.map((name) => readFileSync(join(root, name), 'utf8'));
    expect(contents(host.program)).toEqual(contents(ROOT));
  });

  it('meets no command that is neither run here nor has a reason why it cannot be', () => {
    page.expectAllRun();
  });
});
