import { WebhookDeliveries } from '../../src/webhooks/webhook-deliveries';
import { DeliverySlots } from '../../src/webhooks/delivery/delivery-slots';
import { DeliveryRepository } from '../../src/webhooks/delivery/delivery.repository';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { Clock } from '../../src/common/clock';
import { insertUser } from '../support/factories';
import { MovableClock } from '../support/movable-clock';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';

const WEBHOOKS = 10;
const OF_EACH = 15;
const MOST = 60;
/** Attempts under way at one webhook at a time. */
const MOST_OF_ONE = 10;

describe('events that no order has paid for', () => {
  const clock = new MovableClock();
  const overrides: NonNullable<Parameters<typeof createTestApp>[0]>['overrides'] = (builder) =>
    builder.overrideProvider(Clock).useValue(clock);
  const env = { WEBHOOK_ALLOW_PRIVATE: 'on' };
  let receiver: WebhookReceiver;
  let first: TestApp;
  let second: TestApp | null = null;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    first = await createTestApp({ env, overrides });
    second = await createTestApp({ env, overrides, databaseUrl: first.databaseUrl });
  });
  afterAll(async () => {
    await second?.close();
    await first?.close();
    receiver.close();
  });

  const query = (text: string, values: unknown[]) =>
    first.sql.rows<readonly unknown[], Record<string, unknown>>({ name: '', text }, values);

  /** `event`: what is due at each of the account's webhooks, written at once. */
  async function due(userId: string, event: string, ofEach: number, limited: boolean): Promise<void> {
    await query(
      `with said as (insert into webhook_events (body) values (json_build_object('type', $2::text)::text) returning id)
         insert into webhook_deliveries (id, webhook_id, event, event_id, next_at, limited)
         select gen_random_uuid(), w.id, $2, said.id, now(), $4
           from webhooks w, said, generate_series(1, $3) where w.user_id = $1 returning id`,
      [userId, event, ofEach, limited],
    );
  }

  async function account(path: string, webhooks: number): Promise<string> {
    const userId = await insertUser(first.orm);
    for (let at = 0; at < webhooks; at++) {
      await first.app.get(WebhookService).create({ userId, url: receiver.url(path) });
    }
    return userId;
  }

  const arrived = (path: string, type: string) => receiver.at(path).filter(({ body }) => body.type === type).length;
  const useUp = (userId: string) =>
    query(
      `insert into rate_limit_windows (key, calls, ends_at) values ($1, $2, now() + interval '1 minute') returning key`,
      [`webhook-attempts:${userId}`, MOST],
    );
  const nextMinute = async (userId: string) => {
    clock.advance(61_000);
    await query(`delete from rate_limit_windows where key = $1 returning key`, [`webhook-attempts:${userId}`]);
    await query(
      `update webhook_deliveries d set next_at = now() from webhooks w
        where w.id = d.webhook_id and w.user_id = $1 and d.state = 'pending' returning d.id`,
      [userId],
    );
  };

  it('have 60 attempts a minute for each account, on all instances together: what is above waits, and all of it arrives', async () => {
    const userId = await account('/many', WEBHOOKS);
    await due(userId, 'balance.low', OF_EACH, true);
    await until('so many', async () => arrived('/many', 'balance.low') >= MOST);
    // Those of its orders pass by what waits, on whichever instance; and each pass is a claim that could have taken more.
    for (let at = 1; at <= 3; at++) {
      await due(userId, 'delegation.included', 1, false);
      await until('those of orders', async () => arrived('/many', 'delegation.included') === at * WEBHOOKS);
    }
    expect(arrived('/many', 'balance.low')).toBe(MOST);
    await nextMinute(userId);
    await until('as many again', async () => arrived('/many', 'balance.low') >= 2 * MOST);
    await nextMinute(userId);
    await until('all', async () => arrived('/many', 'balance.low') === WEBHOOKS * OF_EACH);
    expect(new Set(receiver.at('/many').map(({ id }) => id)).size).toBe(WEBHOOKS * OF_EACH + 3 * WEBHOOKS);
  });

  it('are those that a user sends again too, and tests, which are refused above it', async () => {
    const userId = await account('/again', 1);
    const [webhook] = await first.app.get(WebhookService).list(userId);
    const deliveries = first.app.get(WebhookDeliveries);
    await due(userId, 'delegation.failed', 1, false);
    await until('told', async () => arrived('/again', 'delegation.failed') === 1);
    const { id } = await until('delivered', async () => {
      const [found] = await deliveries.list(webhook!.id);
      return found!.state === 'delivered' && found!;
    });
    await useUp(userId);
    await deliveries.replay(id, userId);
    await until('it waits for the end of the minute', async () => {
      const [row] = await query(
        `select next_at > now() + interval '30 seconds' as waits from webhook_deliveries where id = $1`,
        [id],
      );
      return row!.waits;
    });
    await expect(deliveries.test(webhook!.id, userId)).rejects.toThrow('60 attempts a minute');
    expect(receiver.at('/again')).toHaveLength(1);
    await nextMinute(userId);
    await until('sent again', async () => receiver.at('/again').length === 2);
  });

  it('of an operator are not counted', async () => {
    const userId = await account('/operators', 1);
    const [webhook] = await first.app.get(WebhookService).list(userId);
    await useUp(userId);
    expect(await first.app.get(WebhookDeliveries).test(webhook!.id)).toMatchObject({ status: 204 });
  });

  it('leave their webhook as many attempts at a time as before, once they have waited', async () => {
    // One instance: another one would attempt what this one no longer has room for.
    await second!.close();
    second = null;
    const userId = await account('/room', 1);
    await useUp(userId);
    await due(userId, 'balance.low', OF_EACH, true);
    await until('all that are claimed at a time wait', async () => {
      const [found] = await query(
        `select count(*)::integer as waiting from webhook_deliveries d join webhooks w on w.id = d.webhook_id
          where w.user_id = $1 and d.next_at > now() + interval '30 seconds'`,
        [userId],
      );
      return found!.waiting === MOST_OF_ONE;
    });
    await nextMinute(userId);
    await until('all', async () => arrived('/room', 'balance.low') === OF_EACH);
  });
});

describe('webhooks that answer slowly', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
  });
  afterAll(() => service?.close());

  it('are remembered only while something waits for them', async () => {
    const userId = await insertUser(service.orm);
    const webhooks = service.app.get(WebhookService);
    const deliveries = service.app.get(DeliveryRepository);
    const slots = new DeliverySlots();
    const ids: string[] = [];
    for (const path of ['waits', 'done', 'removed']) {
      ids.push((await webhooks.create({ userId, url: `http://127.0.0.1:9/${path}` })).webhook.id);
    }
    const [waits, done, removed] = ids as [string, string, string];
    await service.sql.rows<readonly unknown[], object>(
      {
        name: '',
        text: `with said as (insert into webhook_events (body) values ('{}') returning id)
                 insert into webhook_deliveries (id, webhook_id, event, event_id, next_at)
                 select gen_random_uuid(), w.id, 'webhook.test', said.id, now() from unnest($1::uuid[]) w (id), said returning id`,
      },
      [[waits, done, removed]],
    );
    const claimed = await deliveries.claim(slots.claimParams([]));
    expect(claimed).toHaveLength(3);
    const outcome = { status: 204, reason: null, tookMs: 3_000, retryAfterMs: null };
    for (const claim of claimed) slots.end(slots.begin(claim), outcome.tookMs);
    expect(slots.slowIds.toSorted()).toEqual(ids.toSorted());
    const claim = claimed.find(({ webhookId }) => webhookId === done)!;
    await deliveries.record([{ claim, outcome, state: 'delivered', delayMs: null }]);
    await webhooks.remove(removed, userId);
    await deliveries.deleteOld();
    await slots.forgetIdle(deliveries);
    expect(slots.slowIds).toEqual([waits]);
    expect(slots.claimParams([])[2]).toEqual([waits]);
  });
});
