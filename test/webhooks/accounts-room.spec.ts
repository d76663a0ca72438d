import { DeliveryRepository } from '../../src/webhooks/delivery/delivery.repository';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertUser } from '../support/factories';
import { createTestApp, type TestApp } from '../support/test-app';

const WEBHOOKS = 30;
const DUE = 10;

describe('an account with a backlog at many webhooks', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
  });
  afterAll(() => service?.close());

  async function addWebhook(
    userId: string,
    path: string,
    due: number,
    ageSeconds: number,
    limited = false,
  ): Promise<string> {
    const url = `http://127.0.0.1:9/${path}`;
    const { id } = (await service.app.get(WebhookService).create({ userId, url })).webhook;
    await service.sql.rows<readonly unknown[], object>(
      {
        name: 'due',
        text: `with said as (insert into webhook_events (body) values ('{}') returning id)
               insert into webhook_deliveries (id, webhook_id, event, event_id, next_at, limited)
               select gen_random_uuid(), $1, 'delegation.included', said.id, now() - $3::integer * interval '1 second', $4
                 from said, generate_series(1, $2) returning id`,
      },
      [id, due, ageSeconds, limited],
    );
    return id;
  }

  it('leaves room for the deliveries of others, however old its own are', async () => {
    const [greedy, other] = [await insertUser(service.orm), await insertUser(service.orm)];
    const theirs: string[] = [];
    for (let at = 0; at < WEBHOOKS; at++) theirs.push(await addWebhook(greedy, String(at), DUE, 60));
    const own = await addWebhook(other, 'own', 1, 1);
    const claim = (room: number) =>
      service.app.get(DeliveryRepository).claim([room, 150, theirs, theirs.map(() => 0), theirs.map(() => false), []]);
    const claimed = (await claim(150)).map(({ webhookId }) => webhookId);
    expect(claimed.filter((id) => id === own)).toHaveLength(1);
    expect(claimed.filter((id) => id !== own)).toHaveLength(100);
  });

  it('has its orders’ events claimed past what waits for the account’s next minute', async () => {
    const userId = await insertUser(service.orm);
    const id = await addWebhook(userId, 'waits', 500, 60, true);
    await service.sql.rows<readonly unknown[], object>(
      {
        name: '',
        text: `with said as (insert into webhook_events (body) values ('{}') returning id)
               insert into webhook_deliveries (id, webhook_id, event, event_id, next_at)
               select gen_random_uuid(), $1, 'delegation.included', id, now() from said returning id`,
      },
      [id],
    );
    const claim = async (accountsToWait: string[]) =>
      (await service.app.get(DeliveryRepository).claim([150, 150, [], [], [], accountsToWait])).filter(
        ({ webhookId }) => webhookId === id,
      );
    expect((await claim([userId])).map(({ isLimited }) => isLimited)).toEqual([false]);
    expect((await claim([])).map(({ isLimited }) => isLimited)).toEqual(Array.from({ length: 10 }, () => true));
  });
});
