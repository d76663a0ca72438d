import { Client } from 'pg';
import { CONNECTION_LIMITS } from '../../src/database/connection-limits';
import type { AttemptRecord } from '../../src/webhooks/delivery/delivery.repository';
import { DeliveryRepository } from '../../src/webhooks/delivery/delivery.repository';
import type { ClaimedDelivery, ClaimParams } from '../../src/webhooks/delivery/delivery.statements';
import { RecordAttempt } from '../../src/webhooks/delivery/record-attempt';
import type { AttemptOutcome } from '../../src/webhooks/delivery/webhook-client';
import { EventOutbox } from '../../src/webhooks/event-outbox';
import { StopWebhook } from '../../src/webhooks/stop-webhook';
import { WebhookDeliveries } from '../../src/webhooks/webhook-deliveries';
import { WebhookRepository } from '../../src/webhooks/webhook.repository';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertUser } from '../support/factories';
import { HeldLock } from '../support/held-lock';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const outcome = (status: number): AttemptOutcome => ({ status, reason: null, retryAfterMs: null, tookMs: 1 });
/** With the ordinary lock time-out, four at a time, these alone would last as long as a claim. */
const LOCKED = 24;
const CLAIM_ALL: ClaimParams = [100, 100, [], [], [], []];

describe('what came of an attempt', () => {
  let service: TestApp;
  let deliveries: DeliveryRepository;
  let recording: RecordAttempt;
  let client: Client;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    deliveries = service.app.get(DeliveryRepository);
    recording = service.app.get(RecordAttempt);
    client = new Client(service.databaseUrl);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await service.close();
  });
  beforeEach(() => client.query(`delete from webhook_deliveries`));

  /** One for each of so many customers, claimed. */
  async function claimed(count: number): Promise<ClaimedDelivery[]> {
    for (let at = 0; at < count; at += 1) {
      const userId = await insertUser(service.orm);
      await service.app.get(WebhookService).create({ userId, url: 'http://127.0.0.1:9/' });
      const event = { userId, event: 'delegation.delegated', timestamp: new Date().toISOString(), data: {} } as const;
      await service.sql.transaction((tx) => service.app.get(EventOutbox).write(tx, [event]));
    }
    const found = await deliveries.claim(CLAIM_ALL);
    expect(found).toHaveLength(count);
    return found;
  }
  const rowOf = async ({ id }: ClaimedDelivery) =>
    (await client.query(`select state, attempts, step, status from webhook_deliveries where id = $1`, [id])).rows[0];
  const timeOf = async ({ id }: ClaimedDelivery, column: 'claimed_until' | 'attempted_at') => {
    const text = `select extract(epoch from ${column})::float8 as at from webhook_deliveries where id = $1`;
    return (await client.query<{ at: number }>(text, [id])).rows[0]!.at;
  };
  const waitsForLock = () =>
    until('the record waits for a lock', async () => {
      const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await client.query(text)).rows.length > 0;
    });
  const recordOf = (claim: ClaimedDelivery, status: number): AttemptRecord => ({
    claim,
    outcome: outcome(status),
    state: status === 200 ? 'delivered' : 'pending',
    delayMs: status === 200 ? null : 0,
  });

  it.each([500, 410])(
    '(%s) and the replay of its delivery wait for each other in one order: no outcome of other customers is lost with it',
    async (status) => {
      const [replayed, ...others] = await claimed(4);
      const replay = new Client(service.databaseUrl);
      await replay.connect();
      try {
        // As a replay does: its webhook, then its delivery.
        await replay.query('begin');
        await replay.query('select 1 from webhooks where id = $1 for no key update', [replayed!.webhookId]);
        const recorded =
          status === 410
            ? recording.record(replayed!, outcome(410))
            : deliveries.record([recordOf(replayed!, 500), ...others.map((claim) => recordOf(claim, 200))]);
        await waitsForLock();
        await replay.query(`update webhook_deliveries set epoch = epoch + 1, claimed_until = null where id = $1`, [
          replayed!.id,
        ]);
        await replay.query('commit');
        await recorded;
      } finally {
        await replay.end();
      }
      // Its claim has ended with the replay.
      expect(await rowOf(replayed!)).toMatchObject({ state: 'pending', attempts: 0 });
      if (status === 410) return;
      for (const other of others) expect(await rowOf(other)).toMatchObject({ state: 'delivered', attempts: 1 });
      const failing = `select 1 from webhooks where failing_since is not null`;
      expect((await client.query(failing)).rows).toEqual([]);
    },
  );

  it('is written by the replay itself in that order, too', async () => {
    const [one] = await claimed(1);
    const held = new Client(service.databaseUrl);
    await held.connect();
    try {
      await held.query('begin');
      await held.query('select 1 from webhooks where id = $1 for no key update', [one!.webhookId]);
      const replayed = service.app.get(WebhookDeliveries).replay(one!.id);
      await waitsForLock();
      await held.query('select 1 from webhook_deliveries where id = $1 for update nowait', [one!.id]);
      await held.query('commit');
      await replayed;
    } finally {
      await held.end();
    }
  });

  it('(410) of an address that was changed meanwhile does not disable the webhook, which has another one now', async () => {
    const [one] = await claimed(1);
    const webhooks = service.app.get(WebhookService);
    await webhooks.update(one!.webhookId, { url: 'http://127.0.0.1:9/moved' });
    await recording.record(one!, outcome(410));
    expect(await rowOf(one!)).toMatchObject({ state: 'failed', attempts: 1, status: 410 });
    expect(await webhooks.get(one!.webhookId)).toMatchObject({ state: 'active', disabledReason: null });
  });

  it('is a success that keeps its webhook enabled, also when the sweep that disables failing ones waits for its row', async () => {
    const [one] = await claimed(1);
    const id = one!.webhookId;
    const failing = () =>
      client.query(`update webhooks set failing_since = now() - interval '6 days' where id = $1`, [id]);
    const stopFailing = () => service.app.get(StopWebhook).stopFailing();
    const isActive = async () => (await service.app.get(WebhookService).get(id)).state === 'active';
    await failing();
    const success = await HeldLock.take(service.databaseUrl, `update webhooks set failing_since = null where id = $1`, [
      id,
    ]);
    const stopped = stopFailing();
    await success.untilWaiting(1);
    await success.release();
    await stopped;
    expect(await isActive()).toBe(true);
    await failing();
    await stopFailing();
    expect(await isActive()).toBe(false);
  });

  describe('that cannot be written', () => {
    /** Refuses deliveries of these ids, as a deadlock would. The sequence counts through rollbacks. */
    const refuse = async (ids: readonly string[]) => {
      await client.query('create sequence refused_records');
      await client.query(`create function refuse_record() returns trigger language plpgsql as $$
        begin
          perform nextval('refused_records');
          raise exception 'deadlock detected' using errcode = '40P01';
        end $$`);
      const when = ids.map((id) => `'${id}'`).join();
      await client.query(`create trigger refused before update on webhook_deliveries for each row
        when (old.id in (${when}) and new.attempts > old.attempts) execute function refuse_record()`);
    };
    const stop = () => client.query('drop trigger refused on webhook_deliveries');
    const refused = async () => {
      const { rows } = await client.query<{ times: string }>(
        `select case when is_called then last_value else 0 end as times from refused_records`,
      );
      return Number(rows[0]!.times);
    };
    afterEach(() => client.query('drop sequence refused_records; drop function refuse_record cascade'));

    it.each([200, 410])('(%s) is written again until it is, and once', async (status) => {
      const [one] = await claimed(1);
      await refuse([one!.id]);
      const recorded = recording.record(one!, outcome(status));
      await until('refused twice', async () => (await refused()) >= 2);
      await stop();
      await recorded;
      expect(await rowOf(one!)).toMatchObject({ attempts: 1, status });
    });

    it('for one of many: is the only one that is not written at once', async () => {
      const all = await claimed(5);
      await refuse([all[0]!.id]);
      const [first, ...others] = all.map((one) => recording.record(one, outcome(200)));
      await Promise.all(others);
      expect(await rowOf(all[0]!)).toMatchObject({ state: 'pending', attempts: 0 });
      await stop();
      await first;
      expect(await rowOf(all[0]!)).toMatchObject({ state: 'delivered', attempts: 1 });
    });
  });

  it('of one that somebody keeps locked keeps no other from being recorded before its claim runs out', async () => {
    const all = await claimed(LOCKED + 1);
    const [other, ...locked] = all.toReversed();
    const claimEnds = await timeOf(other!, 'claimed_until');
    const rows = 'select 1 from webhook_deliveries where id = any($1::uuid[]) for update';
    const held = await HeldLock.take(service.databaseUrl, rows, [locked.map(({ id }) => id)]);
    let recorded: Promise<void>[] = [];
    try {
      // Together at first; then each by itself, the other one behind all that are locked.
      recorded = [...locked, other!].map((one) => recording.record(one, outcome(200)));
      await recorded.at(-1);
    } finally {
      await held.release();
    }
    await Promise.all(recorded);
    expect(await timeOf(other!, 'attempted_at')).toBeLessThan(claimEnds);
    for (const one of all) expect(await rowOf(one)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('(410) of one that somebody keeps locked waits for it no longer than any other', async () => {
    const [one] = await claimed(1);
    const webhook = 'select 1 from webhooks where id = $1 for update';
    const held = await HeldLock.take(service.databaseUrl, webhook, [one!.webhookId]);
    const refused = jest.spyOn(service.app.get(WebhookRepository), 'lock');
    let recorded: Promise<void>;
    try {
      recorded = recording.record(one!, outcome(410));
      await until('it is tried again', async () => refused.mock.calls.length > 1, CONNECTION_LIMITS.lock_timeout);
    } finally {
      await held.release();
    }
    await recorded;
    expect(await rowOf(one!)).toMatchObject({ state: 'failed', attempts: 1 });
  });

  it('counts once, however often it is written: after a lost acknowledgement it is written again', async () => {
    const [one] = await claimed(1);
    await deliveries.record([recordOf(one!, 500)]);
    await deliveries.record([recordOf(one!, 500)]);
    expect(await rowOf(one!)).toMatchObject({ state: 'pending', attempts: 1, step: 1 });
  });
});
