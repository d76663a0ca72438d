import { DeliveryRepository } from '../../src/webhooks/delivery/delivery.repository';
import { EventOutbox } from '../../src/webhooks/event-outbox';
import { WebhookDispatcher } from '../../src/webhooks/delivery/webhook-dispatcher';
import { WebhookDeliveries } from '../../src/webhooks/webhook-deliveries';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertUser } from '../support/factories';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';

const ENV = { WEBHOOK_ALLOW_PRIVATE: 'on' };

describe('deliveries of webhooks', () => {
  let service: TestApp;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    service = await createTestApp({ backgroundWork: false, env: ENV });
  });
  afterAll(async () => {
    await service.close();
    receiver.close();
  });

  const rows = <Row>(text: string, values: unknown[] = []) =>
    service.sql.rows<readonly unknown[], Row>({ name: '', text }, values);
  const webhook = async (userId: string, path: string) =>
    (await service.app.get(WebhookService).create({ userId, url: receiver.url(path) })).webhook.id;
  const tell = (userId: string) =>
    service.sql.transaction((tx) =>
      service.app
        .get(EventOutbox)
        .write(tx, [
          { userId, event: 'delegation.failed', timestamp: '2026-03-01T00:00:00Z', data: { id: 'one', note: 'ü' } },
        ]),
    );

  it('have one body an event, which each webhook is sent', async () => {
    const userId = await insertUser(service.orm);
    const ids = [];
    for (const path of ['/a', '/b', '/c']) ids.push(await webhook(userId, path));
    await tell(userId);
    const written = await rows<{ event_id: bigint; said: string }>(
      `select d.event_id, e.body as said from webhook_deliveries d join webhook_events e on e.id = d.event_id
        where d.webhook_id = any($1::uuid[])`,
      [ids],
    );
    expect(written).toHaveLength(3);
    expect(new Set(written.map(({ event_id: event }) => event)).size).toBe(1);
    const sender = await createTestApp({ databaseUrl: service.databaseUrl, env: ENV });
    sender.app.get(WebhookDispatcher).wake();
    await until('all of them', async () => receiver.received.length === 3);
    for (const path of ['/a', '/b', '/c'])
      expect(receiver.at(path).map(({ text }) => text)).toEqual([written[0]!.said]);
    // No webhook is told of it: nothing is kept.
    await tell(await insertUser(service.orm));
    expect(await rows('select 1 from webhook_events')).toHaveLength(1);
    await until(
      'all recorded',
      async () => (await rows(`select 1 from webhook_deliveries where state = 'pending'`)).length === 0,
    );
    await sender.close();
  });

  it('that wait outlive a clock that is a month ahead; what has ended goes, and what no delivery says', async () => {
    const userId = await insertUser(service.orm);
    const [active, disabled] = [await webhook(userId, '/active'), await webhook(userId, '/disabled')];
    await tell(userId);
    await service.app.get(WebhookService).disable(disabled);
    await rows(`update webhook_deliveries set created_at = created_at - interval '31 days' returning id`);
    await rows(`update webhook_events set created_at = created_at - interval '31 days' returning id`);
    await service.app.get(DeliveryRepository).deleteOld();
    const left = await rows<{ webhook_id: string; state: string }>(`select webhook_id, state from webhook_deliveries`);
    const waiting = [active, disabled].map((id) => ({ webhook_id: id, state: 'pending' }));
    expect(left).toHaveLength(2);
    expect(left).toEqual(expect.arrayContaining(waiting));
    expect(await rows('select 1 from webhook_events')).toHaveLength(1);
    await rows(`update webhook_deliveries set state = 'failed', next_at = null returning id`);
    await service.app.get(DeliveryRepository).deleteOld();
    expect(await rows('select 1 from webhook_deliveries')).toEqual([]);
    expect(await rows('select 1 from webhook_events')).toEqual([]);
  });

  it('of tests are ten a minute, and more when that minute is over', async () => {
    const id = await webhook(await insertUser(service.orm), '/tested');
    const send = () => service.app.get(WebhookDeliveries).test(id);
    for (let tests = 0; tests < 10; tests++) await send();
    await expect(send()).rejects.toMatchObject({ code: 'webhook.test-too-often' });
    await rows(`update webhook_deliveries set created_at = created_at - interval '1 minute' returning id`);
    expect(await send()).toMatchObject({ status: 204 });
  });
});
