import { DeliveryRepository } from '../../src/webhooks/delivery/delivery.repository';
import type { ClaimedDelivery } from '../../src/webhooks/delivery/delivery.statements';
import { WebhookDeliveries } from '../../src/webhooks/webhook-deliveries';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertUser } from '../support/factories';
import { createTestApp, type TestApp } from '../support/test-app';

describe('an attempt whose claim has ended, as when its instance was stopped for too long', () => {
  let service: TestApp;
  let deliveries: DeliveryRepository;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    deliveries = service.app.get(DeliveryRepository);
  });
  afterAll(() => service?.close());

  /** Claimed by an instance that was then stopped, and now by another one. */
  async function claimedTwice(): Promise<{ late: ClaimedDelivery; webhookId: string }> {
    const userId = await insertUser(service.orm);
    const { webhook } = await service.app.get(WebhookService).create({ userId, url: 'http://127.0.0.1:9/' });
    const late = (await deliveries.createTest(webhook.id, '{}', 10))!;
    await service.sql.execute({ name: 'lapse', text: 'update webhook_deliveries set claimed_until = now()' });
    const [again] = await deliveries.claim([10, 10, [], [], [], []]);
    expect(again).toMatchObject({ id: late.id, epoch: late.epoch + 1 });
    return { late, webhookId: webhook.id };
  }
  const show = async (webhookId: string) => (await deliveries.page(webhookId))[0];

  it.each(['delivered', 'pending'] as const)('changes nothing when it ends: %s', async (state) => {
    const { late, webhookId } = await claimedTwice();
    const outcome = { status: state === 'delivered' ? 200 : 500, reason: null, retryAfterMs: null, tookMs: 1 };
    await deliveries.record([{ claim: late, outcome, state, delayMs: state === 'pending' ? 0 : null }]);
    expect(await show(webhookId)).toMatchObject({ state: 'pending', attempts: 0, status: null });
    await deliveries.record([
      { claim: { ...late, epoch: late.epoch + 1 }, outcome, state: 'delivered', delayMs: null },
    ]);
    expect(await show(webhookId)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('is not given back in the place of the one that goes on', async () => {
    const { late } = await claimedTwice();
    await deliveries.giveBack([late]);
    expect(await deliveries.claim([10, 10, [], [], [], []])).toEqual([]);
  });

  it('neither ends nor delays a delivery that somebody sends again meanwhile', async () => {
    const userId = await insertUser(service.orm);
    const { webhook } = await service.app.get(WebhookService).create({ userId, url: 'http://127.0.0.1:9/' });
    const late = (await deliveries.createTest(webhook.id, '{}', 10))!;
    await service.app.get(WebhookDeliveries).replay(late.id);
    const outcome = { status: 200, reason: null, retryAfterMs: null, tookMs: 1 };
    await deliveries.record([{ claim: late, outcome, state: 'delivered', delayMs: null }]);
    await deliveries.giveBack([late], 60_000);
    expect(await show(webhook.id)).toMatchObject({ state: 'pending', attempts: 0, status: null });
    expect(await deliveries.claim([10, 10, [], [], [], []])).toMatchObject([{ id: late.id }]);
  });
});
