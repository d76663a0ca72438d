import { WebhookDeliveries } from '../../../src/webhooks/webhook-deliveries';
import { WebhookService } from '../../../src/webhooks/webhook.service';
import { heldIn, PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';
import { WebhookReceiver } from '../../support/webhook-receiver';

const LIST = '/panel/webhooks';
const NEW = `${LIST}/new`;
const QUESTION = 'Confirm your password';

describe('what customers do with their webhooks in the panel', () => {
  let service: TestApp;
  let other: TestApp;
  let receiver: WebhookReceiver;
  let user: PanelUserLogin;
  let client: PanelClient;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    const env = { WEBHOOK_ALLOW_PRIVATE: 'on' };
    service = await createTestApp({ env, backgroundWork: false });
    other = await createTestApp({ env, backgroundWork: false, databaseUrl: service.databaseUrl });
  });
  beforeEach(async () => {
    user = await insertPanelUser(service);
    client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
  });
  afterAll(async () => {
    await other?.close();
    await service?.close();
    receiver.close();
  });

  const webhooks = () => service.app.get(WebhookService);
  const run = (text: string) =>
    service.sql.rows<readonly unknown[], Record<string, unknown>>({ name: '', text }, [user.id]);
  const forgetPassword = () =>
    run(`update sessions set password_at = now() - interval '11 minutes' where user_id = $1 returning key`);
  /** The newest last; the id of each state's last. */
  const deliver = async (webhookId: string, states: readonly string[], data: object = {}) => {
    const rows = await service.sql.rows<readonly unknown[], { id: string; state: string }>(
      {
        name: '',
        text: `with said as (insert into webhook_events (body) values ($3) returning id)
               insert into webhook_deliveries (id, webhook_id, event, event_id, state, next_at, created_at)
               select gen_random_uuid(), $1, 'delegation.delegated', said.id, s.state,
                      case s.state when 'pending' then now() + interval '1 hour' end, now() - interval '1 hour' + s.n * interval '1 second'
                 from said, unnest($2::text[]) with ordinality s (state, n) returning id, state`,
      },
      [webhookId, states, JSON.stringify({ type: 'delegation.delegated', data })],
    );
    return Object.fromEntries(rows.map(({ id, state }) => [state, id]));
  };
  const entries = async () => {
    const found = await run(
      `select action, outcome, subject, after from audit_log where actor_id = $1 and action like 'webhook.%' order by id`,
    );
    return found.map(({ action, outcome, subject, after }) => ({ action, outcome, subject, after }));
  };

  async function add(path: string): Promise<string> {
    const { webhook } = await webhooks().create({ userId: user.id, url: receiver.url(path) });
    return webhook.id;
  }

  it('is limited to ten tests, repetitions and new ones a minute together, on all instances; not the operator’s', async () => {
    const id = await add('/ten');
    const page = `${LIST}/${id}`;
    const elsewhere = new PanelClient(other.url);
    await elsewhere.signIn(user.email, user.password);
    const at = (n: number) => (n % 2 === 0 ? client : elsewhere);
    for (let n = 0; n < 4; n++) expect((await at(n).submit(page, `${page}/test`)).status).toBe(303);
    const [delivery] = await service.app.get(WebhookDeliveries).list(id);
    const replay = `${page}/deliveries/${delivery!.id}/replay`;
    for (let n = 0; n < 3; n++) expect((await at(n).submit(page, replay)).status).toBe(303);
    for (let n = 0; n < 3; n++) {
      expect((await at(n).fillIn(NEW, NEW, { url: receiver.url(`/ten/${n}`) })).status).toBe(200);
    }
    for (const [form, path] of [
      [page, `${page}/test`],
      [page, replay],
      [NEW, NEW],
    ] as const) {
      const refused = await elsewhere.submit(form, path, { url: receiver.url('/more') });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    expect(receiver.at('/ten')).toHaveLength(4);
    expect(await webhooks().list(user.id)).toHaveLength(4);
    expect(await service.app.get(WebhookDeliveries).test(id)).toMatchObject({ status: 204 });
  });

  it('takes the password for an address: a new webhook’s, another one, and for a secret that is shown', async () => {
    const id = await add('/kept');
    const page = `${LIST}/${id}`;
    await forgetPassword();
    const asks = async (form: string, path: string, fields: Record<string, string | string[]>) => {
      const answer = await client.fillIn(form, path, fields);
      expect([path, answer.status, answer.text.includes(QUESTION)]).toEqual([path, 403, true]);
    };
    await asks(NEW, NEW, { url: receiver.url('/strangers') });
    await asks(page, page, { url: receiver.url('/strangers') });
    await asks(`${page}/rotate`, `${page}/rotate`, {});
    expect(await webhooks().list(user.id)).toMatchObject([{ url: receiver.url('/kept'), previousSecretUntil: null }]);
    // What leads nowhere else takes none.
    expect((await client.fillIn(page, page, { events: 'delegation.failed' })).location).toBe(page);
    expect(await webhooks().list(user.id)).toMatchObject([{ events: ['delegation.failed'] }]);
    const given = await client.fillIn(page, page, { url: receiver.url('/own'), password_again: user.password });
    expect(given.location).toBe(page);
    expect(await webhooks().list(user.id)).toMatchObject([{ url: receiver.url('/own') }]);
  });

  it('is changed or enabled 120 times an hour at most, and can be disabled whenever', async () => {
    const page = `${LIST}/${await add('/changed')}`;
    const used = (limit: string, calls: number) =>
      run(`insert into rate_limit_windows (key, calls, ends_at)
           values ('acts-${limit}:' || $1::text, ${calls}, now() + interval '30 seconds') returning key`);
    await used('webhook-changes', 118);
    const change = () => client.fillIn(page, page, { events: 'delegation.failed' });
    const act = (name: string) => client.submit(page, `${page}/${name}`);
    expect([(await change()).status, (await act('disable')).status]).toEqual([303, 303]);
    expect((await act('enable')).status).toBe(303);
    for (const refused of [await change(), await act('enable'), await act('rotate')]) expect(refused.status).toBe(429);
    expect((await act('disable')).status).toBe(303);
    expect(await webhooks().list(user.id)).toMatchObject([{ state: 'disabled' }]);
    await used('webhook-calls', 10);
    expect((await act('replay-failed')).status).toBe(429);
  });

  it('is changed by a form in what was typed alone: an address that was set meanwhile stays, and takes no other', async () => {
    const id = await add('/old');
    const page = `${LIST}/${id}`;
    const opened = heldIn((await client.get(page)).text, page)!;
    await webhooks().update(id, { url: receiver.url('/new') });
    expect((await client.post(page, { ...opened, events: 'delegation.failed' })).location).toBe(page);
    const now = { url: receiver.url('/new'), events: ['delegation.failed'] };
    expect(await webhooks().list(user.id)).toMatchObject([now]);
    for (const [field, typed, sentence] of [
      ['url', receiver.url('/other'), 'The URL has meanwhile been changed'],
      ['events', 'delegation.delegated', 'The choice of events has meanwhile been changed'],
    ] as const) {
      const refused = await client.post(page, { ...opened, [field]: typed });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain(sentence);
      expect(refused.text).toContain(`href="#field-${field}"`);
      expect(await webhooks().list(user.id)).toMatchObject([now]);
    }
  });

  it('is in the audit log, filed under the customer, with the host alone of an address', async () => {
    expect((await client.fillIn(NEW, NEW, { url: receiver.url('/secret-path') })).status).toBe(200);
    const [made] = await webhooks().list(user.id);
    const { id } = made!;
    const page = `${LIST}/${id}`;
    await client.fillIn(page, page, { events: 'delegation.failed' });
    await client.submit(page, `${page}/test`);
    const [delivery] = await service.app.get(WebhookDeliveries).list(id);
    await client.submit(page, `${page}/deliveries/${delivery!.id}/replay`);
    for (let twice = 0; twice < 2; twice++) await client.submit(page, `${page}/disable`);
    await client.submit(page, `${page}/enable`);
    await client.submit(`${page}/rotate`, `${page}/rotate`);
    await client.submit(`${page}/remove`, `${page}/remove`);
    const found = await entries();
    expect(found.map(({ action, outcome }) => `${String(action)} ${String(outcome)}`)).toEqual([
      'webhook.add done',
      'webhook.update done',
      'webhook.test begun',
      'webhook.test done',
      'webhook.replay done',
      'webhook.update done',
      'webhook.update done',
      'webhook.rotate done',
      'webhook.remove done',
    ]);
    expect(new Set(found.map(({ subject }) => subject))).toEqual(new Set([`user ${user.id}`]));
    expect(JSON.stringify(found)).toContain(`127.0.0.1:${receiver.port}`);
    expect(JSON.stringify(found)).not.toContain('secret-path');
  });

  it('shows the body of a delivery, its order and its state, and finds those of one state', async () => {
    const { webhook } = await webhooks().create({ userId: user.id, url: receiver.url('/body') });
    const page = `${LIST}/${webhook.id}`;
    const order = '0197c1a0-0000-7000-8000-00000000000a';
    const ids = await deliver(webhook.id, ['delivered', 'failed', 'pending'], { id: order, receiver: '<T&>' });
    for (const state of ['delivered', 'failed', 'pending'] as const) {
      const rows = (await client.get(`${page}?state=${state}`)).text.match(/id="delivery-[\w-]+"/g);
      expect(rows).toEqual([`id="delivery-${ids[state]!}"`]);
    }
    expect((await client.get(page)).text.match(/id="delivery-/g)).toHaveLength(3);
    expect((await client.get(page)).text).toContain(`href="/panel/orders/${order}"`);
    const { text } = await client.get(`${page}/deliveries/${ids['failed']!}`);
    expect(text).toContain('&quot;receiver&quot;:&quot;&lt;T&amp;>&quot;');
    expect(text).toContain(`href="/panel/orders/${order}"`);
    const second = await webhooks().create({ userId: user.id, url: receiver.url('/other') });
    expect((await client.get(`${LIST}/${second.webhook.id}/deliveries/${ids['failed']!}`)).status).toBe(404);
  });

  it('sends all that failed again after a question, each once, however many instances are asked', async () => {
    const { webhook } = await webhooks().create({ userId: user.id, url: receiver.url('/again') });
    const page = `${LIST}/${webhook.id}`;
    expect((await client.get(page)).text).not.toContain(`${page}/replay-failed`);
    await deliver(webhook.id, ['failed', 'failed', 'failed', 'delivered']);
    await run(
      `insert into webhook_deliveries (id, webhook_id, event, event_id, state)
       select gen_random_uuid(), webhook_id, 'webhook.test', max(event_id), 'failed' from webhook_deliveries
        where webhook_id = (select id from webhooks where user_id = $1) group by webhook_id returning 1`,
    );
    const question = await client.get(`${page}/replay-failed`);
    expect(question.text).toContain('Send all failed deliveries again?');
    expect((await client.get(page)).text).toContain('Send 3 failed deliveries again');
    const elsewhere = new PanelClient(other.url);
    await elsewhere.signIn(user.email, user.password);
    await Promise.all([client, elsewhere, client].map((one) => one.submit(page, `${page}/replay-failed`)));
    const states = await run(
      `select d.event, d.state, d.step, d.epoch, d.limited from webhook_deliveries d join webhooks w on w.id = d.webhook_id
        where w.user_id = $1 order by d.state, d.event`,
    );
    const again = { event: 'delegation.delegated', state: 'pending', step: 0, epoch: 1, limited: true };
    expect(states).toMatchObject([
      { state: 'delivered', epoch: 0 },
      { event: 'webhook.test', state: 'failed' },
      again,
      again,
      again,
    ]);
    const after = (await entries()).filter(({ action }) => action === 'webhook.replay-failed');
    const counts = after.map((entry) => (entry['after'] as { deliveries: number }).deliveries);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 3]);
  });

  it('sends no more than 1,000 again at a time, the oldest first', async () => {
    const { webhook } = await webhooks().create({ userId: user.id, url: receiver.url('/many') });
    const page = `${LIST}/${webhook.id}`;
    await deliver(
      webhook.id,
      Array.from({ length: 1_002 }, () => 'failed'),
    );
    expect((await client.get(page)).text).toContain('Send > 1\u202f000 failed deliveries again');
    await client.submit(page, `${page}/replay-failed`);
    expect((await client.get(page)).text).toContain('1\u202f000 messages are being sent again.');
    const left = await run(
      `select d.state, d.created_at from webhook_deliveries d join webhooks w on w.id = d.webhook_id
        where w.user_id = $1 order by d.created_at desc limit 3`,
    );
    expect(left.map(({ state }) => state)).toEqual(['failed', 'failed', 'pending']);
    await webhooks().disable(webhook.id);
    await client.submit(page, `${page}/replay-failed`);
    expect((await client.get(page)).text).toContain('The webhook is disabled: enable it first');
  });

  it('leaves no entry for what is somebody else’s', async () => {
    const stranger = await insertPanelUser(service);
    const { webhook } = await webhooks().create({ userId: stranger.id, url: receiver.url('/theirs') });
    for (const act of ['test', 'disable', 'enable', 'rotate', 'remove', 'replay-failed', '']) {
      const path = `${LIST}/${webhook.id}${act && '/'}${act}`;
      expect((await client.submit(NEW, path, { url: receiver.url('/x') })).status).toBe(404);
    }
    expect(await entries()).toEqual([]);
  });
});
