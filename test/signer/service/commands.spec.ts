import { allowOperations, LENDING } from '../../support/restricted-key';
import { SharedCommandLine } from '../../support/shared-command-line';
import { makeWallet } from '../signer.fixture';
import { SignerWorld } from './signer-world';

interface Said {
  readonly ok: boolean;
  readonly keys: unknown[];
  readonly findings: { readonly kind: string; readonly subject: string; readonly reason: string }[];
}

describe('commands, where keys are in a signer', () => {
  let signed: SignerWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    signed = await SignerWorld.open();
    cli = SharedCommandLine.on(signed.world.database.url, {
      TRON_FULL_NODE_URLS: signed.world.chain.url,
      SIGNER_URL: `unix:${signed.signer.socket}`,
    });
    await cli.run('pool:update', 'activate', '--key-file', signed.world.keyFile('activate'), '--permission-id', '0');
    await signed.careForStake();
  });
  afterAll(() => Promise.all([cli.close(), signed.close()]));

  const keyFindings = async () => {
    const { stdout } = await cli.run('doctor', '--json');
    const { findings } = JSON.parse(stdout) as Said;
    const kinds = ['signer_unavailable', 'missing_permission', 'wrong_key'];
    return findings
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ kind, subject, reason }) => [kind, subject, reason]);
  };

  it('doctor says of each wallet where its key is, and finds nothing wrong with those of the signer', async () => {
    const { keys } = JSON.parse((await cli.run('doctor', '--json')).stdout) as Said;
    const file = `file:${signed.world.keyFile('activate')}`;
    expect(keys).toEqual([
      { wallet: 'pool', role: 'delegate', place: 'signer', key: 'signer:pool' },
      { wallet: 'activate', role: 'activate', place: 'service', key: file },
      { wallet: 'pool', role: 'care', place: 'signer', key: 'signer:care' },
    ]);
    expect(await keyFindings()).toEqual([]);
    const printed = (await cli.run('doctor')).stdout;
    expect(printed).toContain('Key of pool (delegate): in the signer, signer:pool\n');
    expect(printed).toContain(`Key of activate (activate): in the service's own process, ${file}\n`);
  });

  it('pool:add, pool:update and stake:care take the id of a key, one place at a time, and no key in its place', async () => {
    const key = makeWallet().privateKey;
    const { address } = makeWallet();
    const add = ['pool:add', '--name', 'more', '--address', address, '--role', 'delegate'];
    for (const [args, reason] of [
      [add, 'give one of --key-env, --key-file and --signer'],
      [[...add, '--signer', 'a', '--key-env', 'A'], 'give one of --key-env, --key-file and --signer'],
      [[...add, '--signer', key], 'never the key itself'],
      [[...add, '--signer', 'two words'], 'the id of a key in the signer'],
      [['pool:update', 'pool', '--signer', 'a', '--key-file', '/a'], 'give one of'],
      [['stake:care', 'pool', '--signer', 'a', '--key-file', '/a', '--permission-id', '3'], 'give one of'],
      [['stake:care', 'pool', '--signer', 'care'], 'a key needs --permission-id'],
    ] as const) {
      const { exitCode, stderr } = await cli.run(...args);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
      expect(stderr).not.toContain(key);
    }
    expect(await cli.json(...add, '--signer', 'more')).toMatchObject({ name: 'more' });
    const { exitCode } = await cli.run('stake:care', 'pool', '--signer', 'care', '--permission-id', '3');
    expect(exitCode).toBe(0);
    expect(await signed.world.query('select name, key_source from pool_wallets order by name')).toEqual([
      { name: 'activate', key_source: `file:${signed.world.keyFile('activate')}` },
      { name: 'more', key_source: 'signer:more' },
      { name: 'pool', key_source: 'signer:pool' },
    ]);
    expect(await signed.world.query('select key_source from stake_care')).toEqual([{ key_source: 'signer:care' }]);
  });

  it('doctor compares each key of the signer with its wallet’s permission, and says which one it lacks', async () => {
    expect(await keyFindings()).toEqual([
      [
        'signer_unavailable',
        'more',
        "wallet more: the signer's key more signs nothing: the signer has no key of this id",
      ],
    ]);
    await cli.run('pool:remove', 'more');
    await allowOperations(signed.world, LENDING, makeWallet().address);
    const lacks = (id: number) => expect.stringMatching(new RegExp(`permission ${id}`)) as string;
    expect(await keyFindings()).toEqual([
      [
        'missing_permission',
        'pool',
        `the key's address ${signed.keys.pool.address} does not reach the threshold of permission 2`,
      ],
      ['missing_permission', 'care of pool', lacks(3)],
    ]);
  });

  it('doctor says that the signer is away, and that SIGNER_URL is not set', async () => {
    await signed.signer.stop();
    const away = expect.stringContaining('the signer gave no answer: ENOENT') as string;
    expect(await keyFindings()).toEqual([
      ['signer_unavailable', 'pool', away],
      ['signer_unavailable', 'care of pool', away],
    ]);
    const { SIGNER_URL: _, ...env } = cli.env;
    const { stdout } = await cli.runWith(env, 'doctor', '--json');
    const { findings } = JSON.parse(stdout) as Said;
    const reasons = findings.filter(({ kind }) => kind === 'signer_unavailable').map(({ reason }) => reason);
    expect(reasons).toEqual([
      "wallet pool: the signer's key pool signs nothing: SIGNER_URL is not set",
      "wallet pool: the signer's key care signs nothing: SIGNER_URL is not set",
    ]);
  });
});
