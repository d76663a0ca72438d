import { Webhook } from 'standardwebhooks';
import { AuditLog } from '../../src/audit-log/audit-log';
import { EventOutbox } from '../../src/webhooks/event-outbox';
import { ANSWER_WITHIN_MS } from '../../src/webhooks/delivery/webhook-client';
import { StopWebhook } from '../../src/webhooks/stop-webhook';
import { WebhookDeliveries } from '../../src/webhooks/webhook-deliveries';
import type { WebhookEvent } from '../../src/webhooks/webhook-events';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { WebhooksSchedule } from '../../src/webhooks/webhooks.schedule';
import { insertUser } from '../support/factories';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import { type Received, WebhookReceiver } from '../support/webhook-receiver';

/** What the schedule says, in seconds, and how much later it may be. */
const SCHEDULE_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const JITTER = 1.1;

describe('deliveries of webhooks', () => {
  let service: TestApp;
  let receiver: WebhookReceiver;
  let webhooks: WebhookService;
  let deliveries: WebhookDeliveries;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    service = await createTestApp({
      env: { WEBHOOK_ALLOW_PRIVATE: 'on' },
      overrides: (builder) => builder.overrideProvider(ANSWER_WITHIN_MS).useValue(5_000),
    });
    webhooks = service.app.get(WebhookService);
    deliveries = service.app.get(WebhookDeliveries);
  });
  afterAll(async () => {
    await service.close();
    receiver.close();
  });

  const query = (text: string, values: unknown[] = []) =>
    service.sql.rows<readonly unknown[], Record<string, unknown>>({ name: `test ${text}`.slice(0, 63), text }, values);

  async function watched(path: string, userId?: string) {
    const owner = userId ?? (await insertUser(service.orm));
    const { webhook, secret } = await webhooks.create({ userId: owner, url: receiver.url(path) });
    return { userId: owner, id: webhook.id, secret };
  }

  async function tell(userId: string, event: WebhookEvent = 'delegation.delegated', data: object = {}): Promise<void> {
    const timestamp = new Date().toISOString();
    await service.sql.transaction((tx) => service.app.get(EventOutbox).write(tx, [{ userId, event, timestamp, data }]));
  }

  const deliveryOf = async (webhookId: string) => (await deliveries.list(webhookId))[0]!;
  const untilAttempts = (webhookId: string, attempts: number) =>
    until(`${attempts} attempts`, async () => {
      const delivery = await deliveryOf(webhookId);
      return delivery?.attempts === attempts && delivery;
    });
  /** Its time has come. */
  const makeDue = (webhookId: string) =>
    query(`update webhook_deliveries set next_at = now() where webhook_id = $1 and state = 'pending' returning id`, [
      webhookId,
    ]);

  it('follow the schedule with jitter, under one id and with the same body, and end after the tenth attempt', async () => {
    const { userId, id, secret } = await watched('/broken');
    receiver.answerStatus('/broken', 500);
    await tell(userId);
    for (const [step, waitS] of SCHEDULE_S.entries()) {
      const { nextAt, attemptedAt, status, state } = await untilAttempts(id, step + 1);
      expect({ step, status, state }).toEqual({ step, status: 500, state: 'pending' });
      const waitedS = (nextAt!.getTime() - attemptedAt!.getTime()) / 1_000;
      expect(waitedS).toBeGreaterThanOrEqual(waitS - 0.002);
      expect(waitedS).toBeLessThanOrEqual(waitS * JITTER + 0.002);
      await makeDue(id);
    }
    expect(await untilAttempts(id, 10)).toMatchObject({ state: 'failed', nextAt: null });
    const received = receiver.at('/broken');
    expect(received).toHaveLength(10);
    expect(new Set(received.map((one) => `${one.id} ${one.text}`)).size).toBe(1);
    const verifier = new Webhook(secret);
    for (const { text, headers } of received) verifier.verify(text, headers as Record<string, string>);
  });

  it('respect Retry-After, as seconds and as a date, but for no longer than a day', async () => {
    const { userId, id } = await watched('/busy');
    const waits = [
      ['3600', 3_600],
      [new Date(Date.now() + 7_200_000).toUTCString(), 7_200],
      ['99999999', 86_400],
      ['1', SCHEDULE_S[3]!],
    ] as const;
    const [first] = waits;
    receiver.answerStatus('/busy', 503, { 'retry-after': first[0] });
    await tell(userId);
    for (const [at, [, waitS]] of waits.entries()) {
      const { nextAt, attemptedAt } = await untilAttempts(id, at + 1);
      const waitedS = (nextAt!.getTime() - attemptedAt!.getTime()) / 1_000;
      // A date has whole seconds, and was made some seconds ago.
      expect(waitedS).toBeGreaterThan(waitS - 60);
      expect(waitedS).toBeLessThan(waitS * JITTER + 1);
      receiver.answerStatus('/busy', 503, { 'retry-after': waits[at + 1]?.[0] ?? '1' });
      await makeDue(id);
    }
  });

  it('end at 410: the webhook is disabled, with its entry in the audit log, and is told of nothing more', async () => {
    const { userId, id } = await watched('/gone');
    receiver.answerStatus('/gone', 410);
    await tell(userId);
    const disabled = await until('disabled', async () => {
      const webhook = await webhooks.get(id);
      return webhook.state === 'disabled' && webhook;
    });
    expect(disabled).toMatchObject({ disabledReason: 'gone' });
    expect(await deliveryOf(id)).toMatchObject({ state: 'failed', status: 410, attempts: 1 });
    const [entry] = await service.app.get(AuditLog).list({ service: 'webhooks', limit: 1 });
    expect(entry).toMatchObject({ action: 'webhook.disable', outcome: 'done', after: { id, reason: 'gone' } });
    await tell(userId);
    expect(await deliveries.list(id)).toHaveLength(1);
  });

  it('disable a webhook that has had no success for five days, which it has again once it is enabled, and none that had one in between', async () => {
    const failing = await watched('/failing');
    const recovered = await watched('/recovered');
    const stop = service.app.get(StopWebhook);
    for (const [path, { userId, id }] of Object.entries({ '/failing': failing, '/recovered': recovered })) {
      receiver.answerStatus(path, 500);
      await tell(userId);
      await untilAttempts(id, 1);
      expect((await webhooks.get(id)).failingSince).not.toBeNull();
      await query(`update webhooks set failing_since = now() - interval '4 days 23 hours' where id = $1 returning id`, [
        id,
      ]);
    }
    await stop.stopFailing();
    expect((await webhooks.get(failing.id)).state).toBe('active');
    receiver.answerStatus('/recovered', 200);
    await makeDue(recovered.id);
    await untilAttempts(recovered.id, 2);
    await query(
      `update webhooks set failing_since = failing_since - interval '2 hours' where id = any($1) returning id`,
      [[failing.id, recovered.id]],
    );
    await service.app.get(WebhooksSchedule).sweep();
    expect(await webhooks.get(failing.id)).toMatchObject({ state: 'disabled', disabledReason: 'failing' });
    expect(await webhooks.get(recovered.id)).toMatchObject({ state: 'active', failingSince: null });
    await webhooks.enable(failing.id);
    await stop.stopFailing();
    expect(await webhooks.get(failing.id)).toMatchObject({ state: 'active', failingSince: null });
  });

  it('take a redirect for an answer and do not follow it', async () => {
    const { userId, id } = await watched('/moved');
    receiver.answerStatus('/moved', 307, { location: receiver.url('/elsewhere') });
    await tell(userId);
    expect(await untilAttempts(id, 1)).toMatchObject({ status: 307, state: 'pending' });
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  it('wait for an answer no longer than the limit, and read no more of it than a little', async () => {
    const [hanging, endless] = [await watched('/hanging'), await watched('/endless')];
    receiver.answer('/hanging', () => undefined);
    let written = 0;
    let isClosed = false;
    receiver.answer('/endless', (response) => {
      response.writeHead(200);
      const chunk = 'x'.repeat(16_384);
      const write = () => {
        while (!isClosed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', write);
      response.on('close', () => (isClosed = true));
      write();
    });
    await tell(hanging.userId);
    await tell(endless.userId);
    expect(await untilAttempts(hanging.id, 1)).toMatchObject({ status: null, reason: 'timeout', state: 'pending' });
    expect(await untilAttempts(endless.id, 1)).toMatchObject({ status: 200, state: 'delivered' });
    await until('the endless answer broken off', async () => isClosed);
    // The kernel's buffers on both sides hold some more.
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  it('sign with every secret of the last day after rotations, then with the new one alone', async () => {
    const { userId, id, secret: first } = await watched('/rotated');
    const second = await webhooks.rotate(id);
    const third = await webhooks.rotate(id);
    expect(new Set([first, second, third]).size).toBe(3);
    const verifies = (secret: string, { text, headers }: Received) => {
      try {
        return new Webhook(secret).verify(text, headers as Record<string, string>) !== undefined;
      } catch {
        return false;
      }
    };
    const signedBy = async (count: number) => {
      await tell(userId);
      await until('delivered', async () => receiver.at('/rotated').length === count);
      return [first, second, third].map((secret) => verifies(secret, receiver.at('/rotated').at(-1)!));
    };
    expect(await signedBy(1)).toEqual([true, true, true]);
    const age = `update webhooks set previous_secrets = jsonb_set(previous_secrets, '{0,until}', to_jsonb(now())) where id = $1 returning id`;
    await query(age, [id]);
    expect(await signedBy(2)).toEqual([false, true, true]);
    await service.app.get(WebhooksSchedule).sweep();
    const kept = 'select jsonb_array_length(previous_secrets) as kept from webhooks where id = $1';
    expect(await query(kept, [id])).toEqual([{ kept: 1 }]);
    for (let times = 1; times < 5; times++) await webhooks.rotate(id);
    await expect(webhooks.rotate(id)).rejects.toMatchObject({ code: 'webhook.rotated-too-often' });
  });

  it('begin again when they are replayed, under the id that their receiver knows', async () => {
    const { userId, id } = await watched('/again');
    await tell(userId);
    const { id: deliveryId } = await untilAttempts(id, 1);
    await deliveries.replay(deliveryId);
    expect(await untilAttempts(id, 2)).toMatchObject({ state: 'delivered' });
    expect(receiver.at('/again').map((one) => one.id)).toEqual([deliveryId, deliveryId]);
    await webhooks.disable(id);
    await expect(deliveries.replay(deliveryId)).rejects.toMatchObject({ code: 'webhook.disabled' });
    await expect(deliveries.replay(deliveryId, await insertUser(service.orm))).rejects.toMatchObject({
      code: 'delivery.not-found',
    });
  });

  it('wait while their webhook is disabled, and go on when it is enabled', async () => {
    const { userId, id } = await watched('/paused');
    receiver.answerStatus('/paused', 500);
    await tell(userId);
    await untilAttempts(id, 1);
    await webhooks.disable(id);
    await makeDue(id);
    const other = await watched('/beside');
    await tell(other.userId);
    await untilAttempts(other.id, 1);
    expect(await deliveryOf(id)).toMatchObject({ attempts: 1, state: 'pending' });
    receiver.answerStatus('/paused', 200);
    await webhooks.enable(id);
    expect(await untilAttempts(id, 2)).toMatchObject({ state: 'delivered' });
  });

  it('of a test say what came of it, are repeated like any other, and do not count as failing', async () => {
    const { id } = await watched('/tested');
    expect(await deliveries.test(id)).toMatchObject({ status: 204, reason: null });
    receiver.answerStatus('/tested', 500);
    expect(await deliveries.test(id)).toMatchObject({ status: 500 });
    expect(await deliveryOf(id)).toMatchObject({ event: 'webhook.test', state: 'pending', attempts: 1 });
    expect((await webhooks.get(id)).failingSince).toBeNull();
    for (let tests = 2; tests < 10; tests++) await deliveries.test(id);
    await expect(deliveries.test(id)).rejects.toMatchObject({ code: 'webhook.test-too-often' });
    expect(new Set(receiver.at('/tested').map(({ headers }) => headers['webhook-id'])).size).toBe(10);
  });

  it('are deleted after 30 days, and with their webhook', async () => {
    const [kept, removed] = [await watched('/kept'), await watched('/removed')];
    for (const { userId, id } of [kept, removed]) {
      for (const at of [1, 2]) {
        await tell(userId);
        await until(
          'told',
          async () => (await deliveries.list(id)).filter(({ state }) => state === 'delivered').length === at,
        );
      }
    }
    const [newest, old] = await deliveries.list(kept.id);
    await query(
      `update webhook_deliveries set created_at = now() - interval '30 days 1 minute' where id = $1 returning id`,
      [old!.id],
    );
    await webhooks.remove(removed.id);
    await expect(webhooks.get(removed.id)).rejects.toMatchObject({ code: 'webhook.not-found' });
    await service.app.get(WebhooksSchedule).sweep();
    expect((await deliveries.list(kept.id)).map(({ id }) => id)).toEqual([newest!.id]);
    expect(await query('select 1 from webhooks where id = $1', [removed.id])).toEqual([]);
  });

  it('of one webhook that hangs do not delay those of others', async () => {
    const [stuck, quick] = [await watched('/stuck'), await watched('/quick')];
    receiver.answer('/stuck', () => undefined);
    // Far more than may be under way, and all of them due before the others.
    for (let events = 0; events < 200; events++) await tell(stuck.userId);
    await until('some hang', async () => receiver.at('/stuck').length >= 10);
    for (let events = 0; events < 20; events++) await tell(quick.userId);
    await until('the others delivered', async () => receiver.at('/quick').length === 20);
    expect(receiver.at('/stuck').length).toBeLessThan(30);
    await webhooks.disable(stuck.id);
  });

  it('claimed while the clock of the database was ahead are not waited for', async () => {
    const { userId, id } = await watched('/ahead');
    receiver.answerStatus('/ahead', 500);
    await tell(userId);
    await untilAttempts(id, 1);
    await query(
      `update webhook_deliveries set next_at = now() + interval '300 days', claimed_until = now() + interval '300 days'
        where webhook_id = $1 returning id`,
      [id],
    );
    receiver.answerStatus('/ahead', 200);
    await service.app.get(WebhooksSchedule).sweep();
    expect(await untilAttempts(id, 2)).toMatchObject({ state: 'delivered' });
  });

  it('written or repeated while the clock of the database was ahead are not waited for, and other waits are kept', async () => {
    const { userId, id } = await watched('/behind');
    const sweep = () => service.app.get(WebhooksSchedule).sweep();
    await tell(userId);
    await untilAttempts(id, 1);
    const wait = (time: string, step: number) =>
      query(
        `update webhook_deliveries set state = 'pending', next_at = now() + $2::interval, step = $3
          where webhook_id = $1 returning id`,
        [id, time, step],
      );
    const waits = async () =>
      (await query(`select next_at > now() as waits from webhook_deliveries where webhook_id = $1`, [id]))[0]!['waits'];
    // As long as an instance without the secret's key leaves it to others; and a wait between two attempts.
    for (const [time, step] of [
      ['1 minute', 0],
      ['26 hours', 9],
    ] as const) {
      await wait(time, step);
      await sweep();
      expect(await waits()).toBe(true);
    }
    await wait('2 hours', 0);
    await sweep();
    expect(await untilAttempts(id, 2)).toMatchObject({ state: 'delivered' });
  });
});
