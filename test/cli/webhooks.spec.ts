import { Webhook } from 'standardwebhooks';
import { EventOutbox } from '../../src/webhooks/event-outbox';
import { WEBHOOK_EVENTS } from '../../src/webhooks/webhook-events';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertUser } from '../support/factories';
import { SharedCommandLine } from '../support/shared-command-line';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';

const ALLOWED = { WEBHOOK_ALLOW_PRIVATE: 'on' };
const USER = 'shop@example.com';
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

interface Added {
  readonly id: string;
  readonly secret: string;
}

describe('the commands for webhooks', () => {
  let service: TestApp;
  let cli: SharedCommandLine;
  let receiver: WebhookReceiver;
  let userId: string;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    service = await createTestApp({ env: ALLOWED });
    cli = SharedCommandLine.on(service.databaseUrl, ALLOWED);
    userId = await insertUser(service.orm, { email: USER });
  });
  afterAll(async () => {
    await cli.close();
    await service.close();
    receiver.close();
  });

  const add = (path: string, ...more: string[]) =>
    cli.json<Added>('webhook:add', '--user', USER, '--url', receiver.url(path), ...more);
  const deliveriesOf = (id: string) => cli.json<Record<string, unknown>[]>('webhook:deliveries', id);
  const tell = () =>
    service.sql.transaction((tx) =>
      service.app
        .get(EventOutbox)
        .write(tx, [{ userId, event: 'delegation.failed', timestamp: new Date().toISOString(), data: {} }]),
    );
  const refused = async (exitCode: number, ...args: string[]) => {
    const result = await cli.run(...args);
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: '' });
    return result.stderr.trim();
  };

  it('add, list, change, rotate, test and remove one, and show its secret once', async () => {
    const added = await add('/all');
    expect(added).toEqual({
      id: uuid,
      url: receiver.url('/all'),
      events: WEBHOOK_EVENTS,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
      state: 'active',
      created_at: instant,
    });
    const listed = await cli.run('webhook:list', '--user', USER, '--json');
    expect(listed.stdout).not.toContain('whsec');
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: added.id, state: 'active' }]);
    const { id: second } = await add('/second');
    expect(await cli.json('webhook:list', '--user', USER, '--limit', '1')).toMatchObject([{ id: added.id }]);
    await cli.json('webhook:remove', second);

    const chosen = { events: ['delegation.delegated', 'balance.low'], state: 'disabled', url: receiver.url('/moved') };
    const change = ['--events', 'balance.low,delegation.delegated', '--disable', '--url', receiver.url('/moved')];
    expect(await cli.json('webhook:update', added.id, ...change)).toMatchObject({
      ...chosen,
      disabled_reason: 'asked',
    });
    const back = { events: WEBHOOK_EVENTS, state: 'active', url: receiver.url('/moved'), disabled_reason: null };
    expect(await cli.json('webhook:update', added.id, '--events', 'all', '--enable')).toMatchObject(back);

    const { secret, ...rest } = await cli.json<{ secret: string }>('webhook:rotate', added.id);
    expect(rest).toEqual({});
    expect(await cli.json('webhook:test', added.id)).toEqual({
      status: 204,
      ms: expect.any(Number) as number,
      reason: null,
    });
    const [test] = receiver.at('/moved');
    for (const one of [secret, added.secret]) {
      expect(new Webhook(one).verify(test!.text, test!.headers as Record<string, string>)).toMatchObject({
        type: 'webhook.test',
      });
    }
    for (const status of [302, 400, 500]) {
      receiver.answerStatus('/moved', status);
      const { exitCode, stdout } = await cli.run('webhook:test', added.id, '--json');
      expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { status }]);
    }
    expect(await cli.json('webhook:remove', added.id)).toEqual({ id: added.id, state: 'removed' });
    expect(await refused(1, 'webhook:test', added.id)).toBe(`unknown webhook ${added.id}`);
    expect(await cli.json('webhook:list', '--user', USER)).toEqual([]);
  });

  it('show deliveries with status and time, never what was answered, and send one again', async () => {
    const { id } = await add('/shown', '--events', 'delegation.failed');
    receiver.answerStatus('/shown', 503);
    await tell();
    // The second attempt would come in five seconds; a command may take as long.
    const wait = `update webhook_deliveries set next_at = now() + interval '1 hour' where attempts = 1 and webhook_id = $1 returning id`;
    await until('attempted', async () => (await service.sql.rows({ name: '', text: wait }, [id])).length === 1);
    const [attempted] = await deliveriesOf(id);
    expect(attempted).toEqual({
      id: uuid,
      event: 'delegation.failed',
      state: 'pending',
      attempts: 1,
      status: 503,
      reason: null,
      ms: expect.any(Number) as number,
      at: instant,
      next_at: instant,
      created_at: instant,
    });
    const { stdout } = await cli.run('webhook:deliveries', id);
    expect(stdout).not.toContain('the answer of a receiver');
    receiver.answerStatus('/shown', 200);
    expect(await cli.json('webhook:replay', String(attempted!['id']))).toMatchObject({ state: 'pending', attempts: 1 });
    await until('delivered', async () => (await deliveriesOf(id))[0]?.['state'] === 'delivered');
    expect(receiver.at('/shown').map((one) => one.id)).toEqual([attempted!['id'], attempted!['id']]);
    await cli.json('webhook:remove', id);
  });

  it('write each act to the audit log, without path, query and secret', async () => {
    const { id, secret } = await add('/hidden/path?key=hidden');
    await cli.json('webhook:rotate', id);
    await cli.json('webhook:remove', id);
    const text = `select action || ' ' || outcome as act, row_to_json(a)::text as row from audit_log a
                   where subject = (select 'user ' || id from users where email = '${USER}') or subject like 'webhook %' order by id desc limit 3`;
    const acts = await service.sql.rows<readonly unknown[], { act: string; row: string }>({ name: 'acts', text }, []);
    expect(acts.map(({ act }) => act)).toEqual(['webhook.remove done', 'webhook.rotate done', 'webhook.add done']);
    const all = acts.map(({ row }) => row).join();
    expect(all).not.toContain('hidden');
    expect(all).not.toContain(secret.slice('whsec_'.length));
  });

  it('refuse what cannot be one: usage exits with 2, the rest with 1', async () => {
    const to = (url: string, ...more: string[]) => ['webhook:add', '--user', USER, '--url', url, ...more];
    expect(await refused(2, ...to('https://shop.example/', '--events', 'order.made'))).toContain(
      'events must be one or more of',
    );
    expect(await refused(2, ...to('shop'))).toContain('needs a URL');
    expect(await refused(1, ...to('http://169.254.169.254/'))).toContain('must not point to a private');
    expect(await refused(2, 'webhook:test', '17')).toContain('an id looks like');
    expect(await refused(1, 'webhook:list', '--user', 'nobody@example.com')).toContain('unknown user');
    expect(await refused(1, 'webhook:replay', '01890a5d-ac96-774b-bcce-b302099a8057')).toContain('unknown delivery');
    // What another setting would allow is not wrong usage.
    for (const url of [receiver.url('/'), 'http://shop.example/', 'https://127.0.0.1/']) {
      const strict = await cli.runWith({ ...cli.env, WEBHOOK_ALLOW_PRIVATE: 'off' }, ...to(url));
      expect({ url, ...strict }).toMatchObject({ url, exitCode: 1, stdout: '' });
    }
    const made = await cli.json<unknown[]>('webhook:list', '--user', USER);
    const webhooks = service.app.get(WebhookService);
    for (let at = made.length; at < 99; at++) await webhooks.create({ userId, url: receiver.url(`/${at}`) });
    // As it was given, without the slash that a browser adds.
    expect(await cli.json('webhook:add', '--user', USER, '--url', 'https://Shop.example')).toMatchObject({
      url: 'https://Shop.example',
    });
    expect(await refused(1, ...to('https://shop.example/'))).toBe('an account can have at most 100 webhooks');
  });
});
