import { EventOutbox } from '../../src/webhooks/event-outbox';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertUser } from '../support/factories';
import { ServiceChild } from '../support/service-child';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import { type Received, WebhookReceiver } from '../support/webhook-receiver';

const ENV = { WEBHOOK_ALLOW_PRIVATE: 'on', TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' };
const WEBHOOKS = 8;
const KILLS = 6;

describe('instances that are killed in the middle of deliveries', () => {
  let service: TestApp;
  let receiver: WebhookReceiver;
  let instances: ServiceChild[];
  /** As each arrived: whether its row was committed. */
  const tooEarly: Received[] = [];
  /** Whose sender was gone before it had its answer. */
  let interrupted = 0;
  /** Deliveries that arrived and have no answer yet. */
  let open = 0;
  /** No delivery is answered before this. */
  let released = Promise.resolve();
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    service = await createTestApp({ backgroundWork: false, env: ENV });
    instances = await Promise.all([startInstance(), startInstance()]);
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop('SIGKILL')));
    await service.close();
    receiver.close();
  });

  const query = (name: string, text: string, values: unknown[] = []) =>
    service.sql.rows<readonly unknown[], Record<string, unknown>>({ name, text }, values);

  async function startInstance(): Promise<ServiceChild> {
    const child = new ServiceChild({ ...ENV, DATABASE_URL: service.databaseUrl });
    await child.ready();
    return child;
  }

  /** Answers some at once, some later, and refuses some: looks first whether what it is told of has been committed. */
  function take(path: string): void {
    receiver.answer(path, (response, received) => {
      open++;
      response.on('close', () => {
        open--;
        interrupted += response.writableFinished ? 0 : 1;
      });
      void query('is_committed', 'select 1 from webhook_deliveries where id = $1', [received.id]).then(async (rows) => {
        if (rows.length === 0) tooEarly.push(received);
        if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
        await released;
        response.writeHead(Math.random() < 0.05 ? 500 : 204).end();
      });
    });
  }

  function holdAnswers(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    released = promise;
    return resolve;
  }

  /** Makes leases run out, and what was refused due. */
  const endLeases = () =>
    query(
      'end_leases',
      `update webhook_deliveries set next_at = now(), claimed_until = case when created_at < now() - interval '3 seconds'
         then null else claimed_until end
        where id in (select id from webhook_deliveries where state = 'pending' order by id for update) returning id`,
    );

  it('deliver every event that was committed, under one id, and none that was not', async () => {
    const userIds: string[] = [];
    for (let at = 0; at < WEBHOOKS; at++) {
      const userId = await insertUser(service.orm);
      await service.app.get(WebhookService).create({ userId, url: receiver.url(`/${at}`) });
      take(`/${at}`);
      userIds.push(userId);
    }
    const outbox = service.app.get(EventOutbox);
    const committed: string[] = [];
    const write = (name: string, userId: string, isKept: boolean) =>
      service.sql.transaction(async (tx) => {
        const event = { userId, event: 'delegation.included', timestamp: '', data: { name } } as const;
        await outbox.write(tx, [event]);
        if (!isKept) throw new Error('rolled back');
      });
    let isKilling = true;
    const writer = (async () => {
      for (let at = 0; isKilling; at++) {
        const isKept = at % 5 !== 0;
        await write(`event ${at}`, userIds[at % WEBHOOKS]!, isKept).catch(() => undefined);
        if (isKept) committed.push(`event ${at}`);
        // No faster than they are delivered, so that every kill meets some.
        await until('room', async () => receiver.received.length > committed.length - 60);
      }
    })();
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = receiver.received.length + 10 + Math.random() * 30;
      await until('some more deliveries', async () => {
        await endLeases();
        return receiver.received.length >= enough;
      });
      const release = holdAnswers();
      await until('a delivery without its answer', async () => open > 0);
      // Now and then both at once: whichever sends, it is interrupted.
      const killed = kill % 3 === 2 ? [0, 1] : [kill % 2];
      await Promise.all(killed.map((at) => instances[at]!.stop('SIGKILL')));
      if (killed.length === 2) await until('their connections are closed', async () => open === 0);
      release();
      await Promise.all(killed.map(async (at) => (instances[at] = await startInstance())));
    }
    isKilling = false;
    await writer;
    await until('everything delivered', async () => {
      await endLeases();
      const waiting = await query('waiting', `select 1 from webhook_deliveries where state <> 'delivered' limit 1`);
      return waiting.length === 0;
    });
    const names = new Map<string, Set<string>>();
    for (const { body, id } of receiver.received) {
      const name = String(body.data['name']);
      names.set(name, (names.get(name) ?? new Set()).add(id));
    }
    expect([...names.keys()].toSorted()).toEqual(committed.toSorted());
    expect([...names.values()].every((ids) => ids.size === 1)).toBe(true);
    expect(tooEarly).toEqual([]);
    expect(interrupted).toBeGreaterThan(0);
  });
});
