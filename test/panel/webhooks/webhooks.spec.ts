import { Webhook } from 'standardwebhooks';
import { statement } from '../../../src/database/statement';
import { UserService } from '../../../src/users/user.service';
import { StopWebhook } from '../../../src/webhooks/stop-webhook';
import { WebhookDeliveries } from '../../../src/webhooks/webhook-deliveries';
import { WebhookService } from '../../../src/webhooks/webhook.service';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';
import { WebhookReceiver } from '../../support/webhook-receiver';

const LIST = '/panel/webhooks';
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/;

describe('the pages for webhooks', () => {
  let service: TestApp;
  let receiver: WebhookReceiver;
  let user: PanelUserLogin;
  let client: PanelClient;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    service = await createTestApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
  });
  beforeEach(async () => {
    user = await insertPanelUser(service, { balance: 10 });
    client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
  });
  afterAll(async () => {
    await service.close();
    receiver.close();
  });

  const webhooks = () => service.app.get(WebhookService);
  const only = async () => (await webhooks().list(user.id))[0]!;

  async function add(path: string, fields: Record<string, string | string[]> = {}): Promise<string> {
    const { status, text } = await client.fillIn(`${LIST}/new`, `${LIST}/new`, { url: receiver.url(path), ...fields });
    expect(status).toBe(200);
    return SECRET.exec(text)![0];
  }

  it('make one and show its secret once: the form sent twice makes one', async () => {
    const form = await client.get(`${LIST}/new`);
    const key = /name="form_key" value="([^"]+)"/.exec(form.text)![1]!;
    const secret = await add('/made', { form_key: key, events: ['delegation.delegated', 'balance.low'] });
    expect(await only()).toMatchObject({ url: receiver.url('/made'), events: ['delegation.delegated', 'balance.low'] });
    const again = await client.fillIn(`${LIST}/new`, `${LIST}/new`, { url: receiver.url('/made'), form_key: key });
    expect(again.location).toBe(LIST);
    expect((await client.get(LIST)).text).toContain('its secret is shown only once');
    expect(await webhooks().list(user.id)).toHaveLength(1);
    for (const page of [LIST, `${LIST}/${(await only()).id}`]) {
      expect((await client.get(page)).text).not.toContain(secret.slice('whsec_'.length));
    }
  });

  it('send a test and say what it was answered, never with what', async () => {
    const secret = await add('/test');
    const page = `${LIST}/${(await only()).id}`;
    receiver.answerStatus('/test', 418);
    expect((await client.submit(page, `${page}/test`)).location).toBe(page);
    const { text } = await client.get(page);
    expect(text).toMatch(/class="notice refused"[^>]*>Your server answered 418 in \d+ ms\./);
    expect(text).not.toContain('the answer of a receiver');
    receiver.answerStatus('/test', 200);
    await client.submit(page, `${page}/test`);
    expect((await client.get(page)).text).toMatch(/class="notice done"[^>]*>Your server answered 200 in \d+ ms\./);
    const [first] = receiver.at('/test');
    new Webhook(secret).verify(first!.text, first!.headers as Record<string, string>);
  });

  it('change, disable, enable, rotate and remove it, and send a delivery again', async () => {
    await add('/old');
    const { id } = await only();
    const page = `${LIST}/${id}`;
    expect((await client.fillIn(page, page, { url: receiver.url('/new'), events: 'delegation.failed' })).location).toBe(
      page,
    );
    expect(await only()).toMatchObject({ url: receiver.url('/new'), events: ['delegation.failed'] });
    await service.app.get(WebhookDeliveries).test(id);
    const [delivery] = await service.app.get(WebhookDeliveries).list(id);
    const replay = `${page}/deliveries/${delivery!.id}/replay`;
    await client.submit(page, replay);
    await until('sent again', async () => receiver.at('/new').length === 2);
    await client.submit(page, `${page}/disable`);
    expect(await only()).toMatchObject({ state: 'disabled', disabledReason: 'asked' });
    expect((await client.get(page)).text).not.toContain(replay);
    await client.submit(page, replay);
    expect((await client.get(page)).text).toContain('The webhook is disabled: enable it first');
    await client.submit(page, `${page}/enable`);
    expect(await only()).toMatchObject({ state: 'active' });
    const rotated = await client.submit(`${page}/rotate`, `${page}/rotate`);
    expect(rotated.text).toMatch(SECRET);
    expect((await client.submit(`${page}/remove`, `${page}/remove`)).location).toBe(LIST);
    expect(await webhooks().list(user.id)).toEqual([]);
  });

  it('are of one’s own webhooks alone', async () => {
    await add('/own');
    const { id } = await only();
    const other = await insertPanelUser(service);
    const stranger = new PanelClient(service.url);
    await stranger.signIn(other.email, other.password);
    for (const page of [`${LIST}/${id}`, `${LIST}/${id}/rotate`, `${LIST}/${id}/remove`, `${LIST}/nothing`]) {
      expect((await stranger.get(page)).status).toBe(404);
    }
    for (const act of ['test', 'disable', 'rotate', 'remove', '']) {
      const answer = await stranger.submit(`${LIST}/new`, `${LIST}/${id}${act && '/'}${act}`, {
        url: receiver.url('/x'),
      });
      expect({ act, status: answer.status }).toEqual({ act, status: 404 });
    }
    expect(await only()).toMatchObject({ state: 'active', url: receiver.url('/own') });
    expect(receiver.at('/own')).toEqual([]);
  });

  it('say on every page that the service has disabled one, until it is looked after', async () => {
    await add('/stopped');
    const { id } = await only();
    const fails = statement<[string]>(
      'test_webhook_fails',
      `update webhooks set failing_since = now() - interval '6 days' where id = $1`,
    );
    await service.sql.execute(fails, [id]);
    await service.app.get(StopWebhook).stopFailing();
    expect((await client.get('/panel/orders')).text).toContain('was disabled because your server accepted no message');
    expect((await client.get(LIST)).text).toContain('disabled: no success in five days');
    await client.submit(`${LIST}/${id}`, `${LIST}/${id}/enable`);
    expect((await client.get('/panel/orders')).text).not.toContain(
      'was disabled because your server accepted no message',
    );
  });

  it('say on every page that the balance is low, by the threshold of the page Balance', async () => {
    const set = (low: string) => client.fillIn('/panel/balance', '/panel/balance/low-balance', { low_balance: low });
    expect((await set('10.5')).location).toBe('/panel/balance');
    expect((await service.app.get(UserService).get(user.email)).lowBalanceSun).toBe(10_500_000n);
    expect((await client.get('/panel/orders')).text).toContain('Your balance is low: 10 TRX available');
    expect((await client.get('/panel/balance')).text).toContain('value="10.5"');
    await set('10');
    expect((await client.get('/panel/orders')).text).not.toContain('Your balance is low');
    await set('');
    expect((await service.app.get(UserService).get(user.email)).lowBalanceSun).toBeNull();
  });
});
