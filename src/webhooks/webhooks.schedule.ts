import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { BackgroundJob } from '../common/background-job';
import { DeliveryRepository } from './delivery/delivery.repository';
import { WebhookDispatcher } from './delivery/webhook-dispatcher';
import { StopWebhook } from './stop-webhook';
import { WebhookRepository } from './webhook.repository';

/** When the room works by itself. Every instance does. */
@Injectable()
export class WebhooksSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly dispatcher: WebhookDispatcher,
    private readonly deliveries: DeliveryRepository,
    private readonly webhooks: WebhookRepository,
    private readonly stopWebhook: StopWebhook,
  ) {}

  /** What other instances and the database itself have written, and what has waited for its time. */
  @Cron(CronExpression.EVERY_SECOND, { name: 'webhook-deliveries' })
  deliver(): void {
    this.dispatcher.wake();
  }

  @Cron(CronExpression.EVERY_MINUTE, { name: 'webhook-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.job.run('The sweep of webhooks', async () => {
      await this.stopWebhook.stopFailing();
      await this.deliveries.endLongWaits();
      await this.webhooks.forgetPreviousSecrets();
      await this.deliveries.deleteOld();
      await this.webhooks.deleteRemoved();
      await this.dispatcher.forgetIdle();
    });
  }
}
