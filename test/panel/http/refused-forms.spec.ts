import { v7 as uuid } from 'uuid';
import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

/** The opening tag of the input or the group of inputs. */
function tagOf(page: string, name: string): string {
  return new RegExp(`<(?:input|select)[^>]* name="${name}"[^>]*>`).exec(page)?.[0] ?? '';
}

describe('a form that is refused', () => {
  let service: TestApp;
  let user: PanelUserLogin;
  let client: PanelClient;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { BILLING_VARIANT: 'B' } });
    user = await insertPanelUser(service, { operator: true });
    client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
  });
  afterAll(() => service.close());

  it.each([
    ['/panel/tokens/new', { name: '', permissions: 'balance', expires: '7' }, 'name'],
    ['/panel/tokens/new', { name: 'till', expires: '7' }, 'permissions'],
    ['/panel/tokens/new', { name: 'till', permissions: 'balance', expires: '0' }, 'expires'],
    ['/panel/webhooks/new', { url: 'shop.example' }, 'url'],
    [
      '/panel/tokens/new',
      { name: 'till', permissions: 'balance', daily_limit: '1.0000001', ips: '::1' },
      'daily_limit',
    ],
    ['/panel/tokens/new', { name: 'till', permissions: 'balance', daily_limit: '7', max_cost: '-1' }, 'max_cost'],
    ['/panel/tokens/new', { name: 'till', permissions: 'balance', max_cost: '7', receivers: 'T1, T2' }, 'receivers'],
    ['/panel/tokens/new', { name: 'till', permissions: 'balance', max_cost: '7', ips: '10.0.0.0/33' }, 'ips'],
    ['/panel/operator/users/new', { email: 'nobody', name: 'N', rate_limit: '7' }, 'email'],
    ['/panel/operator/users/new', { email: 'n@example.com', name: '', rate_limit: '7' }, 'name'],
    ['/panel/operator/users/new', { email: 'n@example.com', name: 'N', unit_price: '7' }, 'unit_price'],
    ['/panel/operator/users/new', { email: 'n@example.com', name: 'N', rate_limit: '0' }, 'rate_limit'],
  ])('%s with %j names the field, leads to it, and keeps what was typed', async (path, fields, wrong) => {
    const { status, text } = await client.submit(path, path, fields);
    expect(status).toBe(422);
    expect(text).toMatch(/<title>Not done: /);
    expect(text).toMatch(new RegExp(`role="alert" id="form-problem"[^>]*><a href="#field-${wrong}">`));
    expect(text).toContain(`id="field-${wrong}"`);
    expect(tagOf(text, wrong)).toMatch(/aria-invalid="true"/);
    expect(text.match(/ autofocus/g)).toHaveLength(1);
    expect(tagOf(text, wrong)).toContain(' autofocus');
    expect(text).toMatch(/aria-describedby="form-problem[ "]/);
    for (const [name, value] of Object.entries(fields)) {
      const held = `value="${value}"`;
      if (name === 'permissions') expect(text).toMatch(new RegExp(`${held}[^>]* checked`));
      else if (value !== '') expect(tagOf(text, name)).toContain(held);
    }
  });

  it('cuts nothing that is pasted: what is too long is refused whole, in a browser and here', async () => {
    const path = `/panel/operator/users/${user.id}`;
    const pages = [
      '/panel/tokens/new',
      '/panel/webhooks/new',
      '/panel/balance',
      '/panel/try-it',
      '/panel/account',
      '/panel/orders',
      '/panel/operator/orders',
    ];
    pages.push('/panel/operator/users', '/panel/operator/users/new', '/panel/operator/audit-log', path);
    for (const page of [...pages, '/panel/operator/wallets/orders']) {
      expect((await client.get(page)).text).not.toContain('maxlength');
    }
    const typed = { kind: 'credit', amount: '1', note: 'n', form_key: uuid() };
    for (const [fields, problem] of [
      [{ note: '能'.repeat(501) }, 'A note can have at most 500 characters.'],
      [{ reference: 'r'.repeat(201) }, 'A reference can have at most 200 characters.'],
    ] as const) {
      const refused = await client.submit(path, `${path}/movements`, { ...typed, ...fields });
      expect(refused).toMatchObject({ status: 422, text: expect.stringContaining(problem) as string });
    }
    const most = { note: '\u{1F600}'.repeat(500), reference: 'r'.repeat(200) };
    expect((await client.submit(path, `${path}/movements`, { ...typed, ...most })).status).toBe(200);
    const orders = '/panel/operator/wallets/orders';
    const paused = await client.submit(orders, orders, { orders: 'pause', reason: 'r'.repeat(301) });
    expect(paused).toMatchObject({ status: 422, text: expect.stringContaining('at most 300 characters') as string });
    expect(await service.sql.rows({ name: '', text: 'select from order_switch where paused_at is not null' })).toEqual(
      [],
    );
  });

  it.each([
    ['receiver', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'An address has 34 characters.'],
    ['txid', 'ab'.repeat(32), 'A transaction id has 64 hexadecimal digits.'],
  ])('trims a pasted %s, and refuses one that is too long', async (field, value, problem) => {
    for (const list of ['/panel/orders', '/panel/operator/orders']) {
      const found = async (text: string) => (await client.get(`${list}?${field}=${encodeURIComponent(text)}`)).text;
      expect(await found(`\u00a0 ${value}\r\n`)).toContain('No order matches.');
      const refused = await found(`${value}0`);
      expect(refused).toContain(problem);
      expect(tagOf(refused, field)).toContain(`value="${value}0"`);
    }
  });

  it('renames no token without a name, and says so above the form', async () => {
    const tokens = service.app.get(ApiTokenService);
    const { row } = await tokens.create({ userId: user.id, name: 'till', permissions: ['balance'] });
    const path = `/panel/tokens/${row.id}`;
    const typed = 'n'.repeat(101);
    const { status, text } = await client.submit(path, path, { name: typed });
    expect(status).toBe(422);
    expect(tagOf(text, 'name')).toContain(`value="${typed}"`);
    expect(tagOf(text, 'name')).toContain('aria-invalid="true"');
    expect((await client.get(path)).text).toContain('<h1>till</h1>');
  });

  it('is shown with what was typed when it had expired, or the session had, but never with a secret', async () => {
    const typed = { name: 'till <3', permissions: ['balance', 'delegate'], token: 'eds_secret', password: 'a secret' };
    const gone = new PanelClient(service.url);
    for (const [visitor, title] of [
      [client, 'This form has expired'],
      [gone, 'You are signed out'],
    ] as const) {
      const { status, text } = await visitor.post('/panel/tokens/new', { ...typed, _csrf: 'no token' });
      expect(status).toBe(403);
      expect(text).toContain(`<h1>${title}</h1>`);
      for (const value of ['till &lt;3', 'balance, delegate']) expect(text).toContain(`<dd>${value}</dd>`);
      expect(text).not.toMatch(/secret|no token/);
    }
    expect(await gone.post('/panel/tokens/new')).toMatchObject({ status: 303, location: '/panel/sign-in' });
  });

  it('leads to the password after a wrong one, and to the field of a new one that will not do', async () => {
    const visitor = new PanelClient(service.url);
    const wrong = await visitor.signIn(user.email, 'not the password');
    expect(wrong.status).toBe(401);
    expect(wrong.text).toMatch(/<title>Not done: /);
    expect(tagOf(wrong.text, 'email')).toContain(`value="${user.email}"`);
    expect(tagOf(wrong.text, 'password')).toMatch(/aria-invalid="true"[^>]* autofocus/);
    const [account, fields] = [
      '/panel/account',
      { current: user.password, password: 'a new password', again: 'another' },
    ];
    const { status, text } = await client.submit(account, account, fields);
    expect(status).toBe(422);
    expect(tagOf(text, 'again')).toMatch(/aria-invalid="true"[^>]* autofocus/);
    for (const value of Object.values(fields)) expect(text).not.toContain(`"${value}"`);
  });

  it('says of a filter which field was not understood', async () => {
    const { text } = await client.get('/panel/orders?txid=abc');
    expect(tagOf(text, 'txid')).toContain('aria-invalid="true"');
    expect(text).toContain('<a href="#field-txid">');
  });
});
