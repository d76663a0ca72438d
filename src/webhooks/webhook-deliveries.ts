import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Clock } from '../common/clock';
import { DomainError, MissingError } from '../common/errors/domain.error';
import { Shutdown } from '../common/shutdown';
import { Sql, type SqlTransaction } from '../database/sql';
import { AccountAttempts, MOST_ATTEMPTS } from './delivery/account-attempts';
import { AttemptDelivery } from './delivery/attempt-delivery';
import { type DeliveryPage, DeliveryRepository } from './delivery/delivery.repository';
import type { DeliveryView, ListedDelivery, SentDelivery } from './delivery/delivery.statements';
import { RecordAttempt } from './delivery/record-attempt';
import type { AttemptOutcome } from './delivery/webhook-client';
import { EventOutbox } from './event-outbox';
import { WebhookService } from './webhook.service';

export type { DeliveryView, ListedDelivery, SentDelivery } from './delivery/delivery.statements';
export type { AttemptOutcome } from './delivery/webhook-client';

const MOST_TESTS_A_MINUTE = 10;
/** So many of those that failed are sent again at once. */
export const MOST_REPLAYED = 1_000;

/** What people do with deliveries. With `ownerId`, those of another user's webhooks read as not found. */
@Injectable()
export class WebhookDeliveries {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
    private readonly webhooks: WebhookService,
    private readonly deliveries: DeliveryRepository,
    private readonly attempts: AttemptDelivery,
    private readonly ofAccounts: AccountAttempts,
    private readonly recordAttempt: RecordAttempt,
    private readonly outbox: EventOutbox,
  ) {}

  /** Newest first; `before`: only those before that one. */
  async list(webhookId: string, page: DeliveryPage = {}, ownerId?: string): Promise<ListedDelivery[]> {
    await this.webhooks.get(webhookId, ownerId);
    return this.deliveries.page(webhookId, page);
  }

  /** With the body that was sent. */
  async get(id: string, webhookId: string, ownerId?: string): Promise<SentDelivery> {
    await this.webhooks.get(webhookId, ownerId);
    const found = isUuid(id) ? await this.deliveries.find(id, webhookId) : null;
    if (found === null) throw new MissingError('delivery.not-found', { id });
    return found;
  }

  /** One more than are sent again at once means: more than those. */
  async countFailed(webhookId: string, ownerId?: string): Promise<number> {
    await this.webhooks.get(webhookId, ownerId);
    return this.deliveries.countFailed(webhookId, MOST_REPLAYED + 1);
  }

  /** Sends an event of its own and waits for the answer. A disabled webhook is tested too, and goes on as it was. */
  async test(webhookId: string, ownerId?: string): Promise<AttemptOutcome> {
    const webhook = await this.webhooks.get(webhookId, ownerId);
    if (ownerId !== undefined && (await this.ofAccounts.take(ownerId)) > 0) {
      throw new DomainError('webhook.attempts-used-up', { most: MOST_ATTEMPTS });
    }
    const type = 'webhook.test';
    const body = JSON.stringify({ type, timestamp: this.clock.now().toISOString(), data: { webhook_id: webhook.id } });
    const delivery = await this.deliveries.createTest(webhook.id, body, MOST_TESTS_A_MINUTE);
    if (!delivery) throw new DomainError('webhook.test-too-often', { most: MOST_TESTS_A_MINUTE });
    const outcome = await this.attempts.attempt(delivery, this.shutdown.signal);
    await this.recordAttempt.record(delivery, outcome);
    return outcome;
  }

  /** The webhook of a delivery. */
  async webhookOf(id: string, ownerId?: string): Promise<string> {
    const webhookId = isUuid(id) ? await this.deliveries.findWebhookId(id, ownerId) : null;
    if (webhookId === null) throw new MissingError('delivery.not-found', { id });
    return webhookId;
  }

  /** Begins the schedule of the oldest that failed again, each under its id. Returns how many. */
  replayFailed(webhookId: string, ownerId?: string, tx?: SqlTransaction): Promise<number> {
    return this.sql.within(tx, async (within) => {
      const webhook = await this.webhooks.lock(webhookId, ownerId, within);
      if (webhook.state !== 'active') throw new DomainError('webhook.disabled');
      const replayed = await this.deliveries.replayFailed(webhookId, ownerId !== undefined, MOST_REPLAYED, within);
      if (replayed > 0) within.afterCommit(() => this.outbox.written());
      return replayed;
    });
  }

  /** Begins the schedule again, under the same id: who has it already knows it by that. */
  replay(id: string, ownerId?: string, tx?: SqlTransaction): Promise<DeliveryView> {
    return this.sql.within(tx, async (within) => {
      const webhookId = await this.webhookOf(id, ownerId);
      const webhook = await this.webhooks.lock(webhookId, ownerId, within);
      if (webhook.state !== 'active') throw new DomainError('webhook.disabled');
      const replayed = await this.deliveries.replay(id, ownerId !== undefined, within);
      if (!replayed) throw new MissingError('delivery.not-found', { id });
      within.afterCommit(() => this.outbox.written());
      return replayed;
    });
  }
}
