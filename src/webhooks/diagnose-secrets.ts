import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../common/secret-cipher';
import { type Weakness, weakness } from '../common/weakness';
import { WebhookRepository } from './webhook.repository';

/** How the secrets of webhooks are kept, as the settings and the rows say together. */
@Injectable()
export class DiagnoseSecrets {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly cipher: SecretCipher,
  ) {}

  async run(): Promise<Weakness[]> {
    const kept = await this.webhooks.countSecrets();
    return kept.flatMap(({ key, webhooks }): Weakness[] => {
      const count = String(webhooks);
      const hasKey = String(this.cipher.encrypts);
      if (key === null) return [weakness('webhook_secrets_unencrypted', 'SECRET_KEYS', { count, has_key: hasKey })];
      return this.cipher.has(key) ? [] : [weakness('webhook_secret_key_missing', 'SECRET_KEYS', { count, key })];
    });
  }
}
