import { utils } from 'tronweb';
import { Child } from '../support/child';
import { describeWith } from './backends';
import { expectSignature } from './expect-signature';
import { delegation } from './raw-data';
import { makeWallet, TestSigner } from './signer.fixture';

const REGION = 'eu-central-1';
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_EC2_METADATA_DISABLED: 'true' };
const receiver = makeWallet().address;

/** A call of KMS, by no library that the signer has. */
async function kms<T>(endpoint: string, action: string, body: object): Promise<T> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.1',
      'X-Amz-Target': `TrentService.${action}`,
      Authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/kms/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${action}: ${await response.text()}`);
  return (await response.json()) as T;
}

describeWith('moto', 'a key in AWS KMS', (program) => {
  const signer = new TestSigner();
  let moto: Child;
  let endpoint: string;
  let keyId: string;
  let address: string;

  const make = async (KeySpec: string) => {
    const made = await kms<{ KeyMetadata: { KeyId: string } }>(endpoint, 'CreateKey', {
      KeySpec,
      KeyUsage: 'SIGN_VERIFY',
    });
    return made.KeyMetadata.KeyId;
  };
  const addressOf = async (KeyId: string) => {
    const { PublicKey } = await kms<{ PublicKey: string }>(endpoint, 'GetPublicKey', { KeyId });
    const point = Buffer.from(PublicKey, 'base64').subarray(-65);
    return utils.crypto.getBase58CheckAddress(utils.crypto.computeAddress(point));
  };
  const keyOf = (id: string, more = {}) => ({
    id: 'pool',
    address,
    permission_id: 0,
    role: 'delegate',
    source: { aws_kms: { key_id: id, region: REGION, endpoint } },
    ...more,
  });
  const lend = () => delegation({ owner: address, receiver });

  beforeAll(async () => {
    const command = ['-c', 'exec "$0" "$@" 2>&1', program, '-H', '127.0.0.1', '-p', '0'];
    moto = new Child(command, { PYTHONUNBUFFERED: '1', NO_COLOR: '1' }, undefined, { program: '/bin/sh' });
    [, endpoint = ''] = await moto.waitFor(/Running on (http:\/\/127\.0\.0\.1:\d+)/);
    keyId = await make('ECC_SECG_P256K1');
    address = await addressOf(keyId);
    signer.configure([keyOf(keyId)]);
    const said = await signer.start(undefined, CREDENTIALS);
    expect(said).toContain(`key pool: delegate for ${address}, permission 0, signs as ${address}, no limit\n`);
  });
  afterAll(async () => {
    await signer.remove();
    await moto.stop('SIGKILL');
  });

  it('signs with a low s and the v of its address, whatever KMS answers', async () => {
    const all = Array.from({ length: 40 }, lend);
    const results = await signer.signAll('pool', all);
    for (const [at, result] of results.entries()) expectSignature(result, all[at]!, address);
    const logged = new Set(signer.lines().map(({ txid }) => txid));
    expect(logged).toEqual(new Set(results.map(({ txid }) => txid)));
  });

  it('says what is wrong at the start', async () => {
    const [other, unfit] = [new TestSigner(), await make('ECC_NIST_P256')];
    const wrong = makeWallet().address;
    other.configure([
      keyOf(unfit, { id: 'unfit' }),
      keyOf('00000000-0000-0000-0000-000000000000', { id: 'none' }),
      keyOf(keyId, { id: 'wrong', address: wrong }),
    ]);
    const { code, stderr } = await other.run(undefined, CREDENTIALS).ended;
    expect([code, stderr.split('\n')]).toEqual([
      1,
      [
        'energy-signer: key unfit: source.aws_kms: the key is of P-256, and must be ECC_SECG_P256K1',
        expect.stringMatching(/^energy-signer: key none: .*00000000-0000-0000-0000-000000000000/),
        `energy-signer: key wrong: the key makes ${address}, and the address is ${wrong}`,
        '',
      ],
    ]);
    await other.remove();
  });

  it('signs by the key that an alias had at the start, and after a restart by the one that it has then', async () => {
    const AliasName = 'alias/pool';
    await kms(endpoint, 'CreateAlias', { AliasName, TargetKeyId: keyId });
    const rotated = new TestSigner();
    rotated.configure([keyOf(AliasName, { permission_id: 2 })]);
    await rotated.start(undefined, CREDENTIALS);
    const next = await make('ECC_SECG_P256K1');
    await kms(endpoint, 'UpdateAlias', { AliasName, TargetKeyId: next });
    const rawData = delegation({ owner: address, receiver }, { permissionId: 2n });
    expectSignature(await rotated.sign('pool', rawData), rawData, address);
    await rotated.stop();
    const nextAddress = await addressOf(next);
    expect(await rotated.start(undefined, CREDENTIALS)).toContain(`permission 2, signs as ${nextAddress}, no limit\n`);
    expectSignature(await rotated.sign('pool', rawData), rawData, nextAddress);
    await rotated.remove();
  });

  it('answers `backend` while KMS hangs or is gone, and logs nothing', async () => {
    const before = signer.lines().length;
    moto.process.kill('SIGSTOP');
    const [hanging, also] = await Promise.all([signer.sign('pool', lend()), signer.sign('unknown', lend())]);
    expect([hanging.error, also.error]).toEqual(['backend', 'unknown_key']);
    moto.process.kill('SIGCONT');
    expect(await signer.sign('pool', lend())).toHaveProperty('signature');
    await moto.stop('SIGKILL');
    expect(await signer.sign('pool', lend())).toMatchObject({ error: 'backend' });
    expect(signer.lines()).toHaveLength(before + 1);
    expect(await signer.health()).toEqual({
      ok: false,
      keys: [{ id: 'pool', ok: false, message: expect.any(String) }],
    });
  });
});
