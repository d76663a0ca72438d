import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { utils } from 'tronweb';
import { runProgram } from '../support/program';
import { describeWith } from './backends';
import { expectSignature } from './expect-signature';
import { delegation } from './raw-data';
import { makeWallet, TestSigner } from './signer.fixture';

const [TOKEN, PIN, SO_PIN] = ['pool keys', '4711-signer', '0815-officer'];
const receiver = makeWallet().address;

function addressOf(key: KeyObject): string {
  const info = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return utils.crypto.getBase58CheckAddress(utils.crypto.computeAddress(info.subarray(-65)));
}

describeWith('softhsm', 'a key in a PKCS#11 token', (module) => {
  const signer = new TestSigner();
  const env = { SOFTHSM2_CONF: join(signer.folder, 'softhsm2.conf') };
  const key = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
  const address = addressOf(key);
  const lend = () => delegation({ owner: address, receiver });

  async function util(...args: string[]): Promise<void> {
    const { code, stdout, stderr } = await runProgram(['softhsm2-util', ...args], { env });
    if (code !== 0) throw new Error(`softhsm2-util: ${stdout}${stderr}`);
  }

  async function putIn(label: string, id: string, one: KeyObject): Promise<void> {
    const file = signer.write(`${label}.pem`, one.export({ format: 'pem', type: 'pkcs8' }).toString());
    await util('--import', file, '--token', TOKEN, '--label', label, '--id', id, '--pin', PIN);
  }

  const keyOf = (label: string, more = {}) => ({
    id: label,
    address,
    permission_id: 0,
    role: 'delegate',
    source: { pkcs11: { module, token: TOKEN, label, pin_env: 'TOKEN_PIN', ...more } },
  });

  beforeAll(async () => {
    mkdirSync(join(signer.folder, 'tokens'));
    signer.write('softhsm2.conf', `directories.tokendir = ${join(signer.folder, 'tokens')}\n`);
    await util('--init-token', '--free', '--label', TOKEN, '--so-pin', SO_PIN, '--pin', PIN);
    await putIn('pool', 'a1', key);
    await putIn('unfit', 'a2', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
    await putIn('twice', 'a3', key);
    await putIn('twice', 'a4', generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey);
    signer.configure([keyOf('pool'), { ...keyOf('pool'), id: 'again' }]);
    await signer.start(undefined, { ...env, TOKEN_PIN: PIN });
  });
  afterAll(() => signer.remove());

  it('signs with a low s and the v of its address, also for a hundred at once', async () => {
    const all = Array.from({ length: 50 }, lend);
    const [results, again] = await Promise.all([signer.signAll('pool', all), signer.signAll('again', all)]);
    for (const [at, result] of results.entries()) expectSignature(result, all[at]!, address);
    for (const [at, result] of again.entries()) expectSignature(result, all[at]!, address);
    expect(await signer.health()).toMatchObject({ ok: true });
  });

  it('says what is wrong at the start, and never the PIN', async () => {
    const other = new TestSigner();
    const stranger = createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' }));
    expect(addressOf(stranger)).toBe(address);
    const wrong = makeWallet().address;
    other.configure([
      keyOf('unfit'),
      keyOf('none'),
      keyOf('twice'),
      { ...keyOf('pool', { token: 'another' }), id: 'token' },
      { ...keyOf('pool', { module: '/none/module.so' }), id: 'module' },
      { ...keyOf('pool', { pin_env: 'UNSET_PIN' }), id: 'unset' },
      { ...keyOf('pool'), id: 'wrong', address: wrong },
    ]);
    const { code, stderr } = await other.run(undefined, { ...env, TOKEN_PIN: PIN }).ended;
    expect([code, stderr.split('\n')]).toEqual([
      1,
      [
        'energy-signer: key unfit: source.pkcs11: the key is not of the curve secp256k1',
        'energy-signer: key none: source.pkcs11.label: no private key has this label',
        'energy-signer: key twice: source.pkcs11.label: more than one private key has this label',
        'energy-signer: key token: source.pkcs11.token: 0 tokens have this label',
        expect.stringMatching(
          /^energy-signer: key module: source\.pkcs11\.module \/none\/module\.so cannot be loaded: /,
        ),
        'energy-signer: key unset: source.pkcs11.pin_env UNSET_PIN is not set',
        `energy-signer: key wrong: the key makes ${address}, and the address is ${wrong}`,
        '',
      ],
    ]);
    other.configure([keyOf('pool'), { ...keyOf('pool'), id: 'again' }]);
    const locked = await other.run(undefined, { ...env, TOKEN_PIN: 'not-the-pin' }).ended;
    expect([locked.code, locked.stderr.split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(/^energy-signer: key pool: .*CKR_PIN_INCORRECT/),
        'energy-signer: key again: source.pkcs11.pin_env TOKEN_PIN: the token refuses it',
        '',
      ],
    ]);
    expect(locked.stderr).not.toContain('not-the-pin');
    await other.remove();
  });
});
