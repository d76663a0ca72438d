import { OrderSwitches } from '../../src/chain/pool/order-switches';
import { PoolAdmin } from '../../src/chain/pool/pool-admin';
import { insertSubscription } from '../support/factories';
import { heldIn, PanelClient } from '../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';
import { createTestApp, type TestApp } from '../support/test-app';

describe('what one click should not do', () => {
  let service: TestApp;
  let client: PanelClient;
  let user: PanelUserLogin;
  let path: string;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    const operator = await insertPanelUser(service, { operator: true });
    user = await insertPanelUser(service);
    path = `/panel/operator/users/${user.id}`;
    client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
  });
  afterAll(() => service.close());

  /** That a page has no button for it but one that leads to a question, and what the question then does. */
  async function ask(page: string, question: string, action: string, about: string): Promise<void> {
    const { text } = await client.get(page);
    expect(text).toContain(`<form method="get" action="${question.split('?')[0]!}"`);
    const asked = await client.get(question);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain(about);
    expect(asked.text).toMatch(/<h1>[^<]+\?<\/h1>/);
    const held = heldIn(asked.text, action);
    expect((await client.post(action, held!)).status).toBe(303);
  }

  it('disables a user after a question', async () => {
    expect((await client.get(path)).text).not.toContain('value="disabled"');
    await ask(path, `${path}/disable`, `${path}/state`, user.email);
    const { text } = await client.get(path);
    expect(text).toContain('The user was disabled.');
    // Coming back needs no question.
    expect((await client.submit(path, `${path}/state`, { state: 'enabled' })).location).toBe(path);
  });

  it('ends a subscription after a question', async () => {
    const id = await insertSubscription(service.orm, user.id, 100);
    const end = `${path}/subscriptions/${id}/end`;
    expect(heldIn((await client.get(path)).text, end)).toBeNull();
    await ask(path, end, end, '100 of 100 left');
    expect((await client.get(path)).text).toContain('The subscription was ended.');
    const others = `/panel/operator/users/00000000-0000-7000-8000-000000000000/subscriptions/${id}/end`;
    expect((await client.get(others)).status).toBe(404);
    expect((await client.get(`${path}/subscriptions/${user.id}/end`)).status).toBe(404);
    expect((await client.get(`${path}/subscriptions/nothing/end`)).status).toBe(404);
  });

  it('drains a wallet after a question', async () => {
    const pool = service.app.get(PoolAdmin);
    const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
    await pool.add(
      { name: 'main & <b>', address, role: 'delegate', keySource: 'env:NO_KEY', permissionId: 0 },
      () => undefined,
    );
    const wallets = '/panel/operator/wallets';
    expect((await client.get(wallets)).text).not.toContain('value="draining"');
    const question = `${wallets}/drain?name=${encodeURIComponent('main & <b>')}`;
    const { text } = await client.get(question);
    expect(text).toContain('main &amp; &lt;b>');
    expect((await client.submit(question, wallets, { name: 'main & <b>', state: 'draining' })).status).toBe(303);
    expect(await pool.list()).toMatchObject([{ state: 'draining' }]);
    expect((await client.get(`${wallets}/drain?name=none`)).status).toBe(404);
  });

  it('stops all orders after a question', async () => {
    const wallets = '/panel/operator/wallets';
    const orders = `${wallets}/orders`;
    expect(heldIn((await client.get(wallets)).text, orders)).toBeNull();
    await ask(wallets, orders, orders, 'name="reason"');
    expect(await service.app.get(OrderSwitches).read()).toMatchObject({ paused: true, reason: null });
    expect((await client.submit(wallets, orders, { orders: 'resume' })).status).toBe(303);
    expect(await service.app.get(OrderSwitches).read()).toMatchObject({ paused: false });
  });
});
