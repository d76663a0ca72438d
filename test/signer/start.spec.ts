import { constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { checkAccess } from '../../signer/src/configuration/private.file';
import { delegation } from './raw-data';
import { type KeyJson, makeWallet, TestSigner } from './signer.fixture';

const pool = makeWallet();
const other = makeWallet();
const KMS = { key_id: 'alias/pool', region: 'eu-central-1' };
const PKCS11 = { module: '/m.so', token: 't', label: 'l', pin_env: 'PIN' };

describe('a start of the signer', () => {
  let signer: TestSigner;
  beforeEach(() => (signer = new TestSigner()));
  afterEach(() => signer.remove());

  /** The start ends at once, with what is wrong, and never with a part of a key. */
  async function expectRefused(...sentences: (string | RegExp)[]): Promise<void> {
    const { code, stdout, stderr } = await signer.run().ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const lines = stderr.split('\n').filter((line) => line !== '');
    expect(lines).toEqual(
      sentences.map((one) =>
        typeof one === 'string' ? `energy-signer: ${one}` : (expect.stringMatching(one) as string),
      ),
    );
    for (const { privateKey } of [pool, other]) expect(stderr.toLowerCase()).not.toContain(privateKey);
    expect(existsSync(signer.socket)).toBe(false);
  }

  it.each<[string, (key: KeyJson) => object, string]>([
    ['an unknown field', (key) => ({ ...key, owner: 'me' }), 'owner is an unknown field'],
    [
      'no id',
      (key) => ({ ...key, id: undefined }),
      'keys[0].id must be 1 to 64 letters, digits, dots, hyphens and underscores',
    ],
    [
      'an id with blanks',
      (key) => ({ ...key, id: 'a b' }),
      'keys[0].id must be 1 to 64 letters, digits, dots, hyphens and underscores',
    ],
    [
      'an address with a slip',
      (key) => ({ ...key, address: slip(pool.address) }),
      'address must be a TRON address (T…)',
    ],
    ['the permission of witnesses', (key) => ({ ...key, permission_id: 1 }), 'permission_id must be 0, or 2 to 9'],
    ['a permission as text', (key) => ({ ...key, permission_id: '0' }), 'permission_id must be 0, or 2 to 9'],
    ['another role', (key) => ({ ...key, role: 'owner' }), 'role must be one of delegate, activate, stake'],
    ['unfreeze as text', (key) => ({ ...key, role: 'stake', unfreeze: 'yes' }), 'unfreeze must be true or false'],
    ['unfreeze of a lender', (key) => ({ ...key, unfreeze: true }), 'unfreeze is for the role stake'],
    ['no source', (key) => ({ ...key, source: undefined }), 'source must be an object'],
    [
      'two sources',
      (key) => ({ ...key, source: { ...key.source, env: 'A' } }),
      'source must have one of file, env, aws_kms, pkcs11',
    ],
    [
      'a source in a place of its own',
      (key) => ({ ...key, source: { vault: 'x' } }),
      'source.vault is an unknown field',
    ],
    ['a relative file', (key) => ({ ...key, source: { file: 'pool.key' } }), 'source.file must be an absolute path'],
    [
      'the key as its file',
      (key) => ({ ...key, source: { file: `/k/${pool.privateKey}` } }),
      'source.file looks like a private key, and must be a path',
    ],
    [
      'the key as its variable',
      (key) => ({ ...key, source: { env: `K${pool.privateKey}` } }),
      'source.env looks like a private key, and must be the name of a variable',
    ],
    [
      'KMS without a region',
      (key) => ({ ...key, source: { aws_kms: { key_id: 'a' } } }),
      'source.aws_kms.region must be a region, as eu-central-1',
    ],
    [
      'KMS with a field',
      (key) => ({ ...key, source: { aws_kms: { ...KMS, profile: 'a' } } }),
      'source.aws_kms.profile is an unknown field',
    ],
    [
      'a PIN in the configuration',
      (key) => ({ ...key, source: { pkcs11: { ...PKCS11, pin: '1' } } }),
      'source.pkcs11.pin is an unknown field',
    ],
    [
      'a limit as a number',
      (key) => ({ ...key, limits: { stake_sun_per_hour: 5 } }),
      'limits.stake_sun_per_hour must be a text of digits, whole sun',
    ],
    [
      'a limit of half a sun',
      (key) => ({ ...key, limits: { stake_sun_per_hour: '0.5' } }),
      'limits.stake_sun_per_hour must be a text of digits, whole sun',
    ],
    [
      'a negative limit',
      (key) => ({ ...key, limits: { transfers_per_hour: -1 } }),
      'limits.transfers_per_hour must be a whole number',
    ],
    [
      'an unknown limit',
      (key) => ({ ...key, limits: { stake_per_hour: '5' } }),
      'limits.stake_per_hour is an unknown field',
    ],
  ])('refuses a key with %s', async (_what, change, sentence) => {
    signer.configure([change(signer.key('pool', pool))]);
    const { stderr } = await signer.run().ended;
    const named = sentence.startsWith('keys') ? sentence : `keys[0] (pool).${sentence}`;
    expect(stderr.split('\n')).toContain(`energy-signer: ${named}`);
    expect(existsSync(signer.socket)).toBe(false);
    expect(stderr.toLowerCase()).not.toContain(pool.privateKey);
  });

  it('refuses a configuration without a list of keys, or with more in it', async () => {
    signer.configure([]);
    await expectRefused('keys must be a list of one key or more');
    signer.configure([signer.key('pool', pool)], { port: 1 });
    await expectRefused('port is an unknown field');
    signer.configure([signer.key('pool', pool), signer.key('pool', pool)], { state: undefined });
    await expectRefused('keys has the id pool twice', 'state must be the absolute path of a file');
    signer.write('config.json', '{"keys":');
    await expectRefused('the configuration is not JSON');
    signer.write('config.json', '{"keys":[],}');
    await expectRefused('the configuration is not JSON, at character 11');
    signer.write('config.json', '[]');
    await expectRefused('the configuration must be an object', /keys/, /state/);
  });

  it('names everything that is wrong with the keys, and none of the keys', async () => {
    const bad = signer.write('bad', 'abc');
    signer.configure([
      signer.key('wrong', pool, { address: other.address }),
      signer.key('none', pool, { source: { file: join(signer.folder, 'none') } }),
      signer.key('bad', pool, { source: { file: bad } }),
      signer.key('zero', pool, { source: { file: signer.write('zero', '0'.repeat(64)) } }),
      signer.key('unset', pool, { source: { env: 'UNSET_KEY' } }),
    ]);
    await expectRefused(
      `key wrong: the key makes ${pool.address}, and the address is ${other.address}`,
      `key none: source.file ${join(signer.folder, 'none')} cannot be read: ENOENT`,
      `key bad: source.file ${bad} holds no private key (64 hex digits)`,
      `key zero: source.file ${join(signer.folder, 'zero')} holds no private key (64 hex digits)`,
      'key unset: source.env UNSET_KEY is not set',
    );
  });

  it.each([0o644, 0o640, 0o604, 0o660, 0o666])('refuses a key file of mode %o', async (mode) => {
    const file = signer.write('lent', pool.privateKey, mode);
    signer.configure([signer.key('pool', pool, { source: { file } })]);
    const shown = mode.toString(8).padStart(4, '0');
    await expectRefused(`key pool: source.file ${file} can be read by others (mode ${shown}): chmod 600`);
  });

  it.each([
    ['its own, to its owner', { me: 0, uid: 0, gid: 0, mode: 0o640 }, 'chmod 600'],
    [
      "root's of another group, to root",
      { me: 0, uid: 0, gid: 900, mode: 0o640 },
      'run the signer as a user of group 900, who may read it so, or chmod 600',
    ],
    ["root's that all can read, to root", { me: 0, uid: 0, gid: 900, mode: 0o644 }, 'chmod 600'],
    [
      "root's of another group, to a user",
      { me: 900, uid: 0, gid: 901, mode: 0o640 },
      "a file of root's has to have this signer's group and mode 0640: chgrp 900, chmod 640",
    ],
    [
      "root's that all can read, to a user",
      { me: 900, uid: 0, gid: 900, mode: 0o644 },
      "a file of root's has to have this signer's group and mode 0640: chgrp 900, chmod 640",
    ],
  ])('says of a key file what makes it good: %s', (_what, { me, uid, gid, mode }, remedy) => {
    jest.spyOn(process, 'geteuid').mockReturnValue(me);
    jest.spyOn(process, 'getegid').mockReturnValue(me);
    const stats = Object.assign(statSync(signer.write('key', '')), { uid, gid, mode: constants.S_IFREG | mode });
    const shown = mode.toString(8).padStart(4, '0');
    expect(() => checkAccess(stats, 'it', true)).toThrow(`it can be read by others (mode ${shown}): ${remedy}`);
    jest.restoreAllMocks();
  });

  it('refuses a configuration that others can write', async () => {
    signer.configure([signer.key('pool', pool)]);
    signer.write('config.json', '{}', 0o646);
    await expectRefused(`--config ${signer.config} can be written by others (mode 0646): chmod go-w`);
  });

  it.each([
    [[], 'give one of --socket PATH and --listen HOST:PORT'],
    [['--socket', '/s', '--listen', '127.0.0.1:1'], 'give one of --socket PATH and --listen HOST:PORT'],
    [['--listen', '127.0.0.1:1'], '--listen needs --tls-cert, --tls-key and --client-ca: it speaks TLS alone'],
    [['--socket', '/s', '--tls-key', '/k'], '--tls-cert, --tls-key and --client-ca belong to --listen'],
    [
      ['--listen', '1', '--tls-cert', 'c', '--tls-key', 'k', '--client-ca', 'a'],
      '--listen must be HOST:PORT, or [ADDRESS]:PORT',
    ],
  ])('asks for one way to listen, not %j', async (args, sentence) => {
    signer.configure([signer.key('pool', pool)]);
    expect(await signer.run(args).ended).toEqual({ code: 2, stdout: '', stderr: `energy-signer: ${sentence}\n` });
  });

  it('listens on a socket for its owner alone, and leaves none behind when it ends', async () => {
    signer.configure([signer.key('pool', pool)]);
    await signer.start();
    expect(statSync(signer.socket).mode & 0o777).toBe(0o600);
    expect(await signer.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(signer.socket)).toBe(false);
  });

  it('replaces the socket of a signer that is gone', async () => {
    signer.configure([signer.key('pool', pool)]);
    await signer.start();
    await signer.stop('SIGKILL');
    expect(existsSync(signer.socket)).toBe(true);
    await signer.start();
    expect((await signer.health()).ok).toBe(true);
  });

  it('leaves a socket alone on which anything listens, and a file that is none', async () => {
    signer.configure([signer.key('pool', pool)]);
    const server = createServer().listen(signer.socket);
    await once(server, 'listening');
    const { code, stderr } = await signer.run().ended;
    expect([code, stderr]).toEqual([1, `energy-signer: --socket ${signer.socket} is in use by another process\n`]);
    server.close();
    await once(server, 'close');
    writeFileSync(signer.socket, 'mine');
    const second = await signer.run().ended;
    expect(second.stderr).toBe(`energy-signer: --socket ${signer.socket} is there already, and it is not a socket\n`);
    expect(statSync(signer.socket).size).toBe(4);
  });

  it('answers what is under way when it is asked to end', async () => {
    signer.configure([signer.key('pool', pool)]);
    await signer.start();
    const all = Array.from({ length: 100 }, () => delegation({ owner: pool.address, receiver: other.address }));
    const results = signer.signAll('pool', all);
    // The first line of the log shows that the request has arrived.
    while (statSync(signer.log).size === 0) await new Promise((resolve) => setImmediate(resolve));
    const ended = signer.stop('SIGTERM');
    for (const { signature } of await results) expect(signature).toBeDefined();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(signer.lines()).toHaveLength(100);
  });
});

function slip(address: string): string {
  return `${address.slice(0, -1)}${address.endsWith('1') ? '2' : '1'}`;
}
