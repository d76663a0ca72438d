import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { utils } from 'tronweb';
import { Child } from '../support/child';
import { runProgram } from '../support/program';
import type { TestSigner } from './signer.fixture';

/** Makes keys where a signer finds them, and says to the signer where that is. */
export interface KeyBackend {
  readonly env: Record<string, string>;
  make(id: string): Promise<MadeKey>;
  close(): Promise<void>;
}

export interface MadeKey {
  readonly source: object;
  /** That the key makes. */
  readonly address: string;
  /** 64 hex digits; null: the backend never shows it. */
  readonly privateKey: string | null;
}

function addressOfPoint(point: Buffer): string {
  return utils.crypto.getBase58CheckAddress(utils.crypto.computeAddress(point));
}

function makeKey(): { key: KeyObject; privateKey: string; address: string } {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const { d } = key.export({ format: 'jwk' });
  const address = addressOfPoint(publicKey.export({ format: 'der', type: 'spki' }).subarray(-65));
  return { key, privateKey: Buffer.from(d!, 'base64url').toString('hex'), address };
}

export class FileBackend implements KeyBackend {
  readonly env = {};

  constructor(private readonly signer: TestSigner) {}

  async make(id: string): Promise<MadeKey> {
    const { privateKey, address } = makeKey();
    return { source: { file: this.signer.write(`${id}.key`, privateKey) }, address, privateKey };
  }

  async close(): Promise<void> {}
}

const [TOKEN, PIN] = ['pool keys', '4711-signer'];

/** A token of SoftHSM. */
export class TokenBackend implements KeyBackend {
  readonly env: Record<string, string>;
  private made = 0;

  private constructor(
    private readonly signer: TestSigner,
    private readonly module: string,
    private readonly token: string,
  ) {
    this.env = { SOFTHSM2_CONF: join(signer.folder, 'softhsm2.conf'), TOKEN_PIN: PIN };
  }

  static async open(signer: TestSigner, module: string, token = TOKEN): Promise<TokenBackend> {
    const backend = new TokenBackend(signer, module, token);
    const tokens = join(signer.folder, 'tokens');
    mkdirSync(tokens, { recursive: true });
    signer.write('softhsm2.conf', `directories.tokendir = ${tokens}\n`);
    await backend.util('--init-token', '--free', '--label', token, '--so-pin', PIN, '--pin', PIN);
    return backend;
  }

  async make(id: string): Promise<MadeKey> {
    const { key, privateKey, address } = makeKey();
    const file = this.signer.write(`${id}.pem`, key.export({ format: 'pem', type: 'pkcs8' }).toString());
    this.made += 1;
    const number = `a${this.made}`;
    await this.util('--import', file, '--token', this.token, '--label', id, '--id', number, '--pin', PIN);
    const source = { pkcs11: { module: this.module, token: this.token, label: id, pin_env: 'TOKEN_PIN' } };
    return { source, address, privateKey };
  }

  async close(): Promise<void> {}

  private async util(...args: string[]): Promise<void> {
    const { code, stdout, stderr } = await runProgram(['softhsm2-util', ...args], { env: this.env });
    if (code !== 0) throw new Error(`softhsm2-util: ${stdout}${stderr}`);
  }
}

const REGION = 'eu-central-1';

/** AWS KMS, as moto answers for it. */
export class KmsBackend implements KeyBackend {
  readonly env = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_EC2_METADATA_DISABLED: 'true' };

  private constructor(
    readonly moto: Child,
    private readonly endpoint: string,
  ) {}

  static async open(program: string): Promise<KmsBackend> {
    const command = ['-c', 'exec "$0" "$@" 2>&1', program, '-H', '127.0.0.1', '-p', '0'];
    const moto = new Child(command, { PYTHONUNBUFFERED: '1', NO_COLOR: '1' }, undefined, { program: '/bin/sh' });
    const [, endpoint = ''] = await moto.waitFor(/Running on (http:\/\/127\.0\.0\.1:\d+)/);
    return new KmsBackend(moto, endpoint);
  }

  async make(): Promise<MadeKey> {
    const wanted = { KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' };
    const { KeyMetadata } = await this.call<{ KeyMetadata: { KeyId: string } }>('CreateKey', wanted);
    const { KeyId } = KeyMetadata;
    const { PublicKey } = await this.call<{ PublicKey: string }>('GetPublicKey', { KeyId });
    const address = addressOfPoint(Buffer.from(PublicKey, 'base64').subarray(-65));
    const source = { aws_kms: { key_id: KeyId, region: REGION, endpoint: this.endpoint } };
    return { source, address, privateKey: null };
  }

  async close(): Promise<void> {
    await this.moto.stop('SIGKILL');
  }

  private async call<T>(action: string, body: object): Promise<T> {
    const response = await fetch(this.endpoint, {
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
}
