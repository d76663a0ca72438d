import { Injectable } from '@nestjs/common';
import type { ConfigurationWarning } from '../../config/configuration-warnings';
import { plural } from '../common/plural';
import { SecretCipher } from '../common/secret-cipher';
import { WebhookRepository } from './webhook.repository';

/** For `doctor`: how the secrets of webhooks are kept, as the settings and the rows say together. */
@Injectable()
export class DiagnoseSecrets {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly cipher: SecretCipher,
  ) {}

  async run(): Promise<ConfigurationWarning[]> {
    const kept = await this.webhooks.countSecrets();
    return kept.flatMap(({ key, webhooks }) => {
      const count = plural(webhooks, 'webhook', 'webhooks');
      if (key === null) return [unencrypted(count, this.cipher.encrypts)];
      return this.cipher.has(key) ? [] : [keyMissing(count, key)];
    });
  }
}

function unencrypted(count: string, hasKey: boolean): ConfigurationWarning {
  const rotate = 'give each a new secret (webhook:rotate ID, or the panel); the one before stays for a day';
  return {
    kind: 'webhook_secrets_unencrypted',
    subject: 'SECRET_KEYS',
    reason: `the secrets of ${count} are stored as they are: who reads the database, or a dump of it, can sign events`,
    next_step: hasKey ? rotate : `set SECRET_KEYS (openssl rand -base64 32) on every instance, then ${rotate}`,
  };
}

function keyMissing(count: string, key: string): ConfigurationWarning {
  return {
    kind: 'webhook_secret_key_missing',
    subject: 'SECRET_KEYS',
    reason: `the secrets of ${count} were encrypted with the key ${key}, which is not set: nothing is delivered to them`,
    next_step: 'add that key to SECRET_KEYS, behind the one that encrypts',
  };
}
