import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfiguration } from '../../signer/src/configuration/configuration.reader';
import { HELP } from '../../signer/src/command/command-line.options';
import { Child } from '../support/child';
import { type PackedPackage, packPackage } from '../support/packed-package';
import { runProgram } from '../support/program';
import { makeWallet, TestSigner } from './signer.fixture';

const ROOT = join(__dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'signer', 'README.md'), 'utf8');

describe('the signer as a package', () => {
  let packed: PackedPackage;
  const signer = new TestSigner();
  beforeAll(async () => {
    packed = await packPackage('signer');
    const modules = join(packed.directory, 'node_modules');
    mkdirSync(join(modules, '@noble'));
    // Those that npm gives the signer, wherever in the repository it has put them.
    for (const name of ['@noble/curves', '@noble/hashes']) {
      const places = ['signer/node_modules', 'node_modules'].map((folder) => join(ROOT, folder, name));
      cpSync(
        places.find((place) => existsSync(place))!,
        join(modules, name),
        { recursive: true },
      );
    }
  });
  afterAll(async () => {
    await signer.remove();
    packed.remove();
  });

  it('starts by its command, with two libraries and without the optional ones', async () => {
    const place = join(packed.directory, 'node_modules', 'energy-signer');
    const { bin } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { bin: Record<string, string> };
    const command = join(place, bin['energy-signer']!);
    chmodSync(command, 0o755);
    const kms = { aws_kms: { key_id: 'a', region: 'eu-central-1' } };
    const token = { pkcs11: { module: '/m.so', token: 't', label: 'l', pin_env: 'PIN' } };
    const wallet = makeWallet();
    signer.configure([signer.key('kms', wallet, { source: kms }), signer.key('token', wallet, { source: token })]);
    const options = ['--config', signer.config, '--socket', signer.socket];
    const without = await runProgram([command, ...options], { env: { PIN: '1234' } });
    expect(without.stderr.split('\n')).toEqual([
      'energy-signer: key kms: source.aws_kms needs the package @aws-sdk/client-kms, which is not installed',
      'energy-signer: key token: source.pkcs11 needs the package pkcs11js, which is not installed, or could not be compiled',
      '',
    ]);
    signer.configure([signer.key('pool', wallet)]);
    const child = new Child(options, {}, packed.directory, { program: command });
    await child.waitFor(/^listening on /m);
    expect((await signer.health()).ok).toBe(true);
    expect(await child.interrupt()).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('signer/README.md', () => {
  it('has a configuration that the signer takes', () => {
    const [, json = ''] = /^```json\n(.*?)^```$/ms.exec(PAGE) ?? [];
    const { keys } = parseConfiguration(json);
    expect(keys.map(({ role }) => role)).toEqual(['delegate', 'stake', 'activate']);
  });

  it('has the options of the help', () => {
    const options = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
    const listed = options(PAGE, /^\| `--([a-z-]+)/gm);
    expect(listed).toEqual(options(HELP, /^ {2}--([a-z-]+)/gm).filter((name) => name !== 'help'));
  });

  it('has each library with a reason', () => {
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'signer', 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      expect(PAGE).toMatch(new RegExp(`^\\|.*\`${name}\``, 'm'));
  });
});
