import { Inject, Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { CONFIGURATION, type Configuration } from '../../config/configuration';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A secret that none of the keys in the settings opens. It says which key is missing, and nothing of the secret. */
export class SecretKeyMissingError extends Error {
  constructor(keyId: string) {
    super(`SECRET_KEYS lacks the key ${keyId}, with which a secret in the database was encrypted`);
    this.name = 'SecretKeyMissingError';
  }
}

/**
 * How secrets are kept that must be recovered, so that a hash would not do: those that sign webhooks, those of second factors. With a
 * key in the settings AES-256-GCM, bound to whose it is, as `gcm.<key>.<nonce, tag, ciphertext>`; without one as it is,
 * `plain.<secret>`. All in base64.
 */
@Injectable()
export class SecretCipher {
  private readonly keys: ReadonlyMap<string, Buffer>;

  constructor(@Inject(CONFIGURATION) { secretKeys }: Pick<Configuration, 'secretKeys'>) {
    this.keys = new Map(
      secretKeys.map((text) => {
        const key = Buffer.from(text, 'base64');
        return [hash('sha256', key, 'hex').slice(0, 8), key];
      }),
    );
  }

  /** Whether what is sealed from now on is encrypted. */
  get encrypts(): boolean {
    return this.keys.size > 0;
  }

  /** The names of its keys, sorted: each stands in what the key has sealed. */
  get keyIds(): string[] {
    return [...this.keys.keys()].toSorted();
  }

  has(keyId: string): boolean {
    return this.keys.has(keyId);
  }

  /** By the first key. `owner`: what the secret is of; it opens for no other. */
  seal(owner: string, secret: Buffer): string {
    const [first] = this.keys;
    if (first === undefined) return `plain.${secret.toString('base64')}`;
    const [keyId, key] = first;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
    return `gcm.${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`;
  }

  /** By whichever key sealed it. @throws SecretKeyMissingError */
  open(owner: string, kept: string): Buffer {
    const [kind, ...parts] = kept.split('.');
    if (kind === 'plain') return Buffer.from(parts[0]!, 'base64');
    const [keyId, text] = parts as [string, string];
    const key = this.keys.get(keyId);
    if (key === undefined) throw new SecretKeyMissingError(keyId);
    const bytes = Buffer.from(text, 'base64');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  }
}
