import { v7 as uuid } from 'uuid';
import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import { LedgerService } from '../../../src/balance/ledger.service';
import { BillingService } from '../../../src/billing/billing.service';
import { insertSubscription } from '../../support/factories';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { Orders } from '../../support/payers';
import { createTestApp, type TestApp } from '../../support/test-app';

describe("a user's pages", () => {
  let service: TestApp;
  let orders: Orders;
  let user: PanelUserLogin;
  let client: PanelClient;
  let orderId: string;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    orders = new Orders(service.sql, service.app.get(BillingService));
    user = await insertPanelUser(service, { balance: 100 });
    client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
    ({ id: orderId } = await orders.place(user.id, '2'));
  });
  afterAll(() => service.close());

  const text = async (path: string) =>
    (await client.get(path)).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

  it('show the balance, what is held for which order, and the ledger with its running balance', async () => {
    const { id: landed } = await orders.place(user.id, '1');
    await orders.land(landed);
    const shown = await text('/panel/balance');
    expect(shown).toMatch(/Available 91 TRX Held 6 .* Balance 97 TRX/);
    expect((await client.get('/panel/balance')).text).toContain(`title="${orderId}"`);
    expect(shown).toMatch(/charge \u22123\.000000 97\.000000/);
    expect(shown).toMatch(/credit \+100\.000000 100\.000000/);
  });

  it('give the ledger as CSV that no spreadsheet takes for formulas', async () => {
    const note = '=HYPERLINK("http://evil.example","x")';
    await service.app.get(LedgerService).credit({ userId: user.id, amountSun: 1n, note, reference: '-1+1' });
    const { headers, text: csv } = await client.get('/panel/balance/ledger.csv');
    expect(headers.get('content-type')).toContain('text/csv');
    expect(headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"');
    const lines = csv.split('\r\n');
    expect(lines[0]).toContain('id,time,kind,amount_trx,balance_trx,order,reference,note,receiver,txid');
    expect(lines[1]).toMatch(/^\d+,[\d-]+T[\d:.]+Z,credit,0\.000001,97\.000001,,"'-1\+1","'=HYPERLINK\(""http/);
  });

  it('keep to themselves the reference that an operator did not give', async () => {
    const reference = `panel ${uuid()}`;
    await service.app.get(LedgerService).credit({ userId: user.id, amountSun: 1n, note: 'a present', reference });
    await service.app.get(LedgerService).credit({ userId: user.id, amountSun: 1n, note: 'paid', reference: 'panel 7' });
    const { text: csv } = await client.get('/panel/balance/ledger.csv');
    expect(csv).toMatch(/,"panel 7","paid",,\r\n.*,,,"a present",,\r\n/);
    const page = await text('/panel/balance');
    expect(page).toContain('a present');
    for (const shown of [csv, page]) expect(shown).not.toContain(reference);
  });

  it('show what is left of a subscription', async () => {
    await insertSubscription(service.orm, user.id, 10);
    expect(await text('/panel/subscriptions')).toContain('10 of 10 left');
  });

  it('never show what is another user’s', async () => {
    const stranger = await insertPanelUser(service, { balance: 10 });
    const other = new PanelClient(service.url);
    await other.signIn(stranger.email, stranger.password);
    const created = await service.app
      .get(ApiTokenService)
      .create({ userId: user.id, name: 'mine', permissions: ['balance'] });
    const { id } = created.row;
    for (const path of [`/panel/orders/${orderId}`, `/panel/tokens/${id}`, `/panel/tokens/${id}/revoke`]) {
      expect((await client.get(path)).status).toBe(200);
      expect((await other.get(path)).status).toBe(404);
    }
    const missing = await other.submit('/panel/tokens/new', `/panel/tokens/${id}/revoke`);
    expect(missing.status).toBe(404);
    expect((await other.submit('/panel/tokens/new', `/panel/tokens/${id}`, { name: 'taken' })).status).toBe(404);
    expect(await text('/panel/tokens')).toMatch(/mine balance .* active/);
    expect((await other.get('/panel/orders')).text).not.toContain(orderId);
  });

  it('make one token of a form that is sent twice, and refuse one without a name or permission', async () => {
    const key = uuid();
    const fields = { name: 'twice', permissions: ['balance', 'delegate'], form_key: key };
    expect((await client.submit('/panel/tokens/new', '/panel/tokens/new', fields)).status).toBe(200);
    expect((await client.submit('/panel/tokens/new', '/panel/tokens/new', fields)).location).toBe('/panel/tokens');
    const list = await client.get('/panel/tokens');
    expect(list.text).toContain('was created then');
    expect(list.text.match(/>twice<\/a>/g)).toHaveLength(1);
    for (const wrong of [
      { name: '', permissions: 'balance' },
      { name: 'x' },
      { name: 'x', permissions: 'everything' },
      { name: 'x', permissions: 'balance', expires: '0' },
    ]) {
      expect((await client.submit('/panel/tokens/new', '/panel/tokens/new', wrong as never)).status).toBe(422);
    }
  });

  it('do not call a list empty behind its end', async () => {
    const fresh = await insertPanelUser(service, { balance: 1 });
    const visitor = new PanelClient(service.url);
    await visitor.signIn(fresh.email, fresh.password);
    const { row } = await service.app
      .get(ApiTokenService)
      .create({ userId: fresh.id, name: 'only', permissions: ['balance'] });
    for (const path of [`/panel/tokens?after=${row.id}`, '/panel/balance?ledger=1']) {
      const page = await visitor.get(path);
      expect(page.text).toContain('This list has no more pages.');
      expect(page.text).not.toMatch(/You have no token yet|No money has moved yet/);
    }
  });

  it('say what to do next where there is nothing yet', async () => {
    const fresh = await insertPanelUser(service);
    const newcomer = new PanelClient(service.url, { 'Accept-Language': 'zh' });
    await newcomer.signIn(fresh.email, fresh.password);
    expect((await newcomer.get('/panel/tokens')).text).toContain('请点击“新建令牌”创建');
    for (const path of ['/panel/balance', '/panel/subscriptions', '/panel/orders']) {
      expect((await newcomer.get(path)).text).toContain('class="empty"');
    }
  });
});
