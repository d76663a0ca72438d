import { Injectable } from '@nestjs/common';
import { CrashPoints } from '../../common/crash-points';
import { SecretCipher } from '../../common/secret-cipher';
import { signWebhook } from '../signature';
import type { ClaimedDelivery } from './delivery.statements';
import { type AttemptOutcome, WebhookClient } from './webhook-client';

/** Signs one delivery and sends it. What comes of it is not written down here. */
@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly cipher: SecretCipher,
    private readonly client: WebhookClient,
    private readonly crashPoints: CrashPoints,
  ) {}

  /** @throws SecretKeyMissingError, with nothing sent */
  async attempt(delivery: ClaimedDelivery, signal: AbortSignal): Promise<AttemptOutcome> {
    const { id, body, webhookId, url, secret, previousSecrets } = delivery;
    const timestamp = Number(delivery.timestamp);
    const secrets = [secret, ...previousSecrets].map((one) => this.cipher.open(webhookId, one));
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook({ id, timestamp, body }, secrets),
    };
    this.crashPoints.reached('before-webhook-send');
    const sent = () => this.crashPoints.reached('during-webhook-send');
    const outcome = await this.client.send({ url, headers, body }, signal, sent);
    this.crashPoints.reached('after-webhook-answer');
    return outcome;
  }
}
