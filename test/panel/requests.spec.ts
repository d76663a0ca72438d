import { PanelClient } from '../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';
import { createTestApp, type TestApp } from '../support/test-app';

describe('a request to the panel', () => {
  let service: TestApp;
  let operator: PanelUserLogin;
  let client: PanelClient;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    operator = await insertPanelUser(service, { operator: true });
    client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
  });
  afterAll(() => service.close());

  const newToken = (fields = {}) =>
    client.submit('/panel/tokens/new', '/panel/tokens/new', { name: 'x', permissions: 'balance', ...fields });

  it.each([
    '/panel/orders?receiver=%00',
    '/panel/orders?after=%00',
    '/panel/operator/orders?txid=%00',
    '/panel/operator/orders?user=%00',
    '/panel/operator/users?email=a%00',
    '/panel/operator/users?after=%00',
    '/panel/operator/audit-log?subject=%00',
    '/panel/operator/audit-log?after=%00',
    '/panel/balance?ledger=%00',
    '/panel/tokens?after=%00',
    '/panel/invitation?key=%00',
  ])('with a character that no text has is refused as a bad one: %s', async (path) => {
    expect((await client.get(path)).status).toBe(400);
  });

  it.each([
    '/panel/orders/%00',
    '/panel/tokens/%00',
    '/panel/operator/users/%00',
    '/panel/operator/orders/%00',
    '/panel/%00',
  ])('for something that has no name is answered as missing: %s', async (path) => {
    expect((await client.get(path)).status).toBe(404);
  });

  it('with such a character in a form is refused as a bad one, and nothing is done', async () => {
    expect((await newToken({ name: 'a\0b' })).status).toBe(400);
    expect((await newToken({ permissions: 'balance\0' })).status).toBe(422);
    expect((await client.get('/panel/tokens')).text).toContain('class="empty"');
    const visitor = new PanelClient(service.url);
    expect((await visitor.signIn('a\0@example.com', 'x')).status).toBe(400);
    expect((await visitor.signIn(operator.email, 'pass\0word')).status).toBe(401);
  });

  it('is told what the last one did, though something else than a page was asked for first', async () => {
    const created = /tokens\/([0-9a-f-]{36})/;
    await newToken();
    const [, id] = created.exec((await client.get('/panel/tokens')).text)!;
    await client.submit(`/panel/tokens/${id}`, `/panel/tokens/${id}`, { name: 'renamed' });
    expect((await client.get('/panel')).status).toBe(303);
    expect((await client.get('/panel/balance/ledger.csv')).status).toBe(200);
    expect((await client.get('/panel/tokens')).text).toContain('The token was renamed.');
    expect((await client.get('/panel/tokens')).text).not.toContain('The token was renamed.');
  });

  it('is told so once, on an error page too', async () => {
    const [, id] = /tokens\/([0-9a-f-]{36})/.exec((await client.get('/panel/tokens')).text)!;
    await client.submit(`/panel/tokens/${id}`, `/panel/tokens/${id}`, { name: 'again' });
    expect((await client.get('/panel/nothing-here')).text).toContain('The token was renamed.');
    expect((await client.get('/panel/tokens')).text).not.toContain('The token was renamed.');
  });

  it('that sends a form gets no link to another language, which would lose the answer', async () => {
    const languages = 'hreflang="zh-Hans"';
    expect((await client.get('/panel/tokens/new')).text).toContain(languages);
    for (const answer of [
      await newToken(),
      await newToken({ name: '' }),
      await client.submit('/panel/operator/users', `/panel/operator/users/${operator.id}/invitation`),
      await client.post('/panel/tokens/new', { name: 'x' }),
    ]) {
      expect(answer.headers.get('content-type')).toContain('text/html');
      expect(answer.text).not.toContain(languages);
    }
  });

  it('for a file of another version gets the present one, which is not kept', async () => {
    const [, present] = /href="([^"]+panel\.css)"/.exec((await client.get('/panel/tokens')).text)!;
    const [kept, other] = [await client.get(present!), await client.get('/panel/assets/0123456789ab/panel.css')];
    expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(other).toMatchObject({ status: 200, text: kept.text });
    expect(other.headers.get('cache-control')).toBe('no-store');
    expect((await client.get('/panel/assets/0123456789ab/other.css')).status).toBe(404);
  });
});
