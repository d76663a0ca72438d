import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { Switches } from '../../../src/chain/pool/switches/switches';
import { PoolWallets } from '../../../src/chain/pool/wallets/pool-wallets';
import { finding } from '../../../src/findings/finding';
import { FindingRepository } from '../../../src/findings/finding.repository';
import { insertSubscription } from '../../support/factories';
import { heldIn, PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

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

  /** That a page has no button for it but one that leads to a confirmation, and what the confirmation then does. */
  async function ask(page: string, confirmation: string, action: string, about: string): Promise<void> {
    const { text } = await client.get(page);
    expect(text).toContain(`<form method="get" action="${confirmation.split('?')[0]!}"`);
    const asked = await client.get(confirmation);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain(about);
    expect(asked.text).toMatch(/<h1>[^<]+\?<\/h1>/);
    const held = heldIn(asked.text, action);
    expect((await client.post(action, held!)).status).toBe(303);
  }

  it('disables a user after a confirmation', async () => {
    const access = `${path}/access`;
    expect((await client.get(access)).text).not.toContain('value="disabled"');
    await ask(access, `${path}/disable`, `${path}/state`, user.email);
    const { text } = await client.get(access);
    expect(text).toContain('The user was disabled.');
    // Coming back needs no confirmation.
    expect((await client.submit(path, `${path}/state`, { state: 'enabled' })).location).toBe(access);
  });

  it('ends a subscription after a confirmation', async () => {
    // There is no chain here.
    jest.spyOn(service.app.get(ReferenceBlocks), 'finalTimeMs').mockResolvedValue(Date.now());
    const id = await insertSubscription(service.orm, user.id, 100);
    const end = `${path}/subscriptions/${id}/end`;
    const tab = `${path}/subscriptions`;
    expect(heldIn((await client.get(tab)).text, end)).toBeNull();
    await ask(tab, end, end, '100 of 100 left');
    expect((await client.get(tab)).text).toContain('The subscription was ended.');
    const others = `/panel/operator/users/00000000-0000-7000-8000-000000000000/subscriptions/${id}/end`;
    expect((await client.get(others)).status).toBe(404);
    expect((await client.get(`${path}/subscriptions/${user.id}/end`)).status).toBe(404);
    expect((await client.get(`${path}/subscriptions/nothing/end`)).status).toBe(404);
  });

  it('drains a wallet after a confirmation', async () => {
    const pool = service.app.get(PoolWallets);
    const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
    await pool.add({ name: 'main & <b>', address, role: 'delegate', keySource: 'env:NO_KEY', permissionId: 0 });
    const wallets = '/panel/operator/wallets';
    expect((await client.get(wallets)).text).not.toContain('value="draining"');
    const confirmation = `${wallets}/drain?name=${encodeURIComponent('main & <b>')}`;
    const { text } = await client.get(confirmation);
    expect(text).toContain('main &amp; &lt;b>');
    expect((await client.submit(confirmation, wallets, { name: 'main & <b>', state: 'draining' })).status).toBe(303);
    expect(await pool.list()).toMatchObject([{ state: 'draining' }]);
    expect((await client.get(`${wallets}/drain?name=none`)).status).toBe(404);
  });

  it('stops all orders after a confirmation', async () => {
    const wallets = '/panel/operator/wallets';
    const orders = `${wallets}/orders`;
    expect(heldIn((await client.get(wallets)).text, orders)).toBeNull();
    await ask(wallets, orders, orders, 'name="reason"');
    expect(await service.app.get(Switches).read('orders')).toMatchObject({ paused: true, reason: null });
    expect((await client.submit(wallets, orders, { orders: 'resume' })).status).toBe(303);
    expect(await service.app.get(Switches).read('orders')).toMatchObject({ paused: false });
  });

  it('acknowledges a shortage after a confirmation, with a note and for the amount that was asked about', async () => {
    const store = service.app.get(FindingRepository);
    const shortage = (sun: bigint) => {
      const parameters = { shortage_sun: sun.toString(), stake_sun: '<b>' };
      return finding('shortage', parameters, { type: 'delegation', id: user.id }, sun);
    };
    const { id } = (await store.seen(shortage(7n)))!;
    const drifted = { balance_sun: '7', last_entry_sun: '9' };
    const { id: other } = (await store.seen(finding('ledger_sum', drifted, { type: 'user', id: user.id })))!;
    const list = '/panel/operator/findings';
    const confirmation = `${list}/${id}/acknowledge`;
    const { text } = await client.get(list);
    expect(text).toContain(`<form method="get" action="${confirmation}"`);
    expect(text).not.toContain(`${list}/${other}/acknowledge`);
    for (const missing of [other, 777, 'x']) {
      expect((await client.get(`${list}/${missing}/acknowledge`)).status).toBe(404);
    }
    expect((await client.get(confirmation)).text).toMatch(/<h1>[^<]+\?<\/h1>.*0\.000007 of &lt;b> TRX/s);
    const answer = (fields: Record<string, string>) => client.fillIn(confirmation, confirmation, fields);
    expect(await answer({ note: ' ' })).toMatchObject({
      status: 422,
      text: expect.stringContaining('Enter a note of at most') as string,
    });
    const long = `kept ${'x'.repeat(496)}`;
    expect(await answer({ note: long })).toMatchObject({
      status: 422,
      text: expect.stringContaining(`value="${long}"`) as string,
    });

    const held = heldIn((await client.get(confirmation)).text, confirmation)!;
    await store.seen(shortage(8n));
    expect((await client.post(confirmation, { ...held, note: 'key <7> was lost' })).status).toBe(303);
    expect((await client.get(list)).text).toContain('The shortage has meanwhile changed to 0.000008 TRX');
    expect((await store.list()).map((found) => found.id)).toContain(id);

    expect((await answer({ note: 'key <7> was lost' })).status).toBe(303);
    expect((await client.get(list)).text).toContain('The shortage was acknowledged.');
    expect((await client.get(list)).text).not.toContain(`delegation ${user.id}`);
    expect((await client.get(`${list}?resolved=yes`)).text).toMatch(/acknowledged<.*key &lt;7> was lost/s);
    expect((await client.get(confirmation)).status).toBe(404);
    expect((await client.get('/panel/operator')).text).toContain('1 finding is open');
    const entries = (await client.get('/panel/operator/audit-log')).text;
    for (const part of ['finding.acknowledge', `finding ${id}`, 'amount_trx 0.000008'])
      expect(entries.replaceAll(/<[^>]*>/g, '')).toContain(part);
  });
});
