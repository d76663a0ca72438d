import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { RateLimitModule } from '../rate-limit/rate-limit.module';
import { UsersModule } from '../users/users.module';
import { AccountAttempts } from './delivery/account-attempts';
import { AttemptDelivery } from './delivery/attempt-delivery';
import { DeliveryRepository } from './delivery/delivery.repository';
import { RecordAttempt } from './delivery/record-attempt';
import { ANSWER_WITHIN_MS, WebhookClient } from './delivery/webhook-client';
import { WebhookDispatcher } from './delivery/webhook-dispatcher';
import { DiagnoseSecrets } from './diagnose-secrets';
import { EventOutbox } from './event-outbox';
import { SecretCipher } from '../common/secret-cipher';
import { StopWebhook } from './stop-webhook';
import { WebhookAgents } from './webhook-agents';
import { WebhookDeliveries } from './webhook-deliveries';
import { WebhookRepository } from './webhook.repository';
import { WebhookService } from './webhook.service';
import { WebhooksSchedule } from './webhooks.schedule';

/** What users' own servers are told of, from the transaction that makes it true to their answer. */
@Module({
  imports: [UsersModule, AuditLogModule, RateLimitModule],
  providers: [
    EventOutbox,
    WebhookRepository,
    WebhookService,
    SecretCipher,
    DiagnoseSecrets,
    WebhookAgents,
    WebhookClient,
    { provide: ANSWER_WITHIN_MS, useValue: 15_000 },
    DeliveryRepository,
    AccountAttempts,
    AttemptDelivery,
    RecordAttempt,
    StopWebhook,
    WebhookDeliveries,
    WebhookDispatcher,
    WebhooksSchedule,
  ],
  exports: [EventOutbox, WebhookRepository, WebhookService, WebhookDeliveries, DiagnoseSecrets],
})
export class WebhooksModule {}
