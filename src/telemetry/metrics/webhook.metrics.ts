import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Counter } from 'prom-client';
import { type WebhookAttempt, webhookAttempts } from '../../common/telemetry-channels';
import { registerGauges, type Sample } from './gauge.table';
import { MetricsRegistry } from './metrics.registry';
import { MetricsRepository } from './metrics.repository';

const FRESH_MS = 10_000;

const GAUGES = [
  { name: 'energy_webhooks', help: 'Webhooks by state; failing: active, without a success since.', labels: ['state'] },
  { name: 'energy_webhook_deliveries_pending', help: 'Events of active webhooks that were not delivered yet.' },
  {
    name: 'energy_webhook_oldest_undelivered_seconds',
    help: 'Age of the oldest event of active webhooks that was not delivered yet.',
  },
  {
    name: 'energy_webhook_lag_seconds',
    help: 'How long the oldest due attempt has waited, among webhooks that do not fail: no receiver is the cause.',
  },
] as const;
type Name = (typeof GAUGES)[number]['name'];

/** What came of this instance's attempts; of the gauges every instance gives the same. */
@Injectable()
export class WebhookMetrics implements OnModuleDestroy {
  private readonly attempts: Counter<'result'>;

  constructor(
    registry: MetricsRegistry,
    private readonly repository: MetricsRepository,
  ) {
    this.attempts = new Counter({
      name: 'energy_webhook_attempts_total',
      help: 'Attempts to deliver a webhook by result: delivered, refused (another status), timeout, unreachable, not_allowed.',
      labelNames: ['result'],
      registers: [registry],
    });
    registerGauges<Name>(registry, GAUGES, () => this.read(), FRESH_MS);
  }

  start(): void {
    webhookAttempts.subscribe(this.attempted);
  }

  onModuleDestroy(): void {
    webhookAttempts.unsubscribe(this.attempted);
  }

  private readonly attempted = (message: unknown): void => {
    this.attempts.inc({ result: (message as WebhookAttempt).result });
  };

  private async read(): Promise<Map<Name, Sample[]>> {
    const webhooks = await this.repository.countWebhooks();
    const deliveries = await this.repository.readDeliveries();
    return new Map<Name, Sample[]>([
      ['energy_webhooks', webhooks.map(({ state, webhooks: value }) => ({ value, labels: { state } }))],
      ['energy_webhook_deliveries_pending', [{ value: deliveries.pending }]],
      ['energy_webhook_oldest_undelivered_seconds', [{ value: deliveries.oldest_seconds }]],
      ['energy_webhook_lag_seconds', [{ value: deliveries.lag_seconds }]],
    ]);
  }
}
