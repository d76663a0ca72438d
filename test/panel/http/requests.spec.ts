import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

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

  it('for what can be no id is answered as missing, and what was asked for is in the audit log all the same', async () => {
    const user = `/panel/operator/users/${operator.id}`;
    const long = Array.from({ length: 2000 }, (_, i) => String.fromCodePoint(0x20000 + i * 7)).join('');
    for (const id of ['%00', 'x%00', '%F0%9D%95%8F', encodeURIComponent(long.slice(0, 1600)), 'x'.repeat(9000)]) {
      for (const path of [
        `${user}/subscriptions/${id}/end`,
        `${user}/tokens/${id}/revoke`,
        `/panel/tokens/${id}/revoke`,
      ])
        expect((await client.submit('/panel/operator/wallets', path)).status).toBe(404);
    }
    expect(
      (await client.submit('/panel/operator/wallets', '/panel/operator/wallets', { name: long, state: 'paused' }))
        .status,
    ).toBe(404);
    const email = `${long}@example.com`;
    expect(
      (await client.submit('/panel/operator/users/new', '/panel/operator/users/new', { email, name: 'x' })).status,
    ).toBe(422);
    const { text } = await client.get('/panel/operator/audit-log');
    for (const subject of ['subscription \ufffd', 'token x\ufffd', 'subscription 𝕏', `user ${long.slice(0, 20)}`])
      expect(text).toContain(subject);
  });

  it('counts characters, not halves of them, and cuts nothing', async () => {
    const letters = (count: number) => '𝕏'.repeat(count);
    expect((await newToken({ name: letters(100) })).status).toBe(200);
    expect((await newToken({ name: letters(101) })).status).toBe(422);
    const [, id] = /tokens\/([0-9a-f-]{36})/.exec((await client.get('/panel/tokens')).text)!;
    const rename = (name: string) => client.submit(`/panel/tokens/${id}`, `/panel/tokens/${id}`, { name });
    expect((await rename(letters(101))).status).toBe(422);
    expect((await rename('x')).status).toBe(303);
    const path = `/panel/operator/users/${operator.id}`;
    const name = (typed: string) => client.fillIn(`${path}/access`, path, { name: typed });
    expect((await name(letters(201))).status).toBe(422);
    expect((await name(letters(200))).status).toBe(303);

    const movement = { kind: 'credit', amount: '1', step: 'book', note: letters(500), reference: letters(200) };
    const move = (fields = {}) => client.fillIn(`${path}/money`, `${path}/movements`, { ...movement, ...fields });
    expect((await move({ note: letters(501) })).text).toContain('A note can have at most 500 characters.');
    expect((await move({ reference: letters(201) })).text).toContain('A reference can have at most 200 characters.');
    expect((await move()).status).toBe(303);
    expect((await client.get(`${path}/money`)).text).toContain(letters(500));
  });

  it('shows what the last one did, though something else than a page was asked for first', async () => {
    const created = /tokens\/([0-9a-f-]{36})/;
    await newToken();
    const [, id] = created.exec((await client.get('/panel/tokens')).text)!;
    await client.submit(`/panel/tokens/${id}`, `/panel/tokens/${id}`, { name: 'renamed' });
    expect((await client.get('/panel')).status).toBe(303);
    expect((await client.get('/panel/balance/ledger.csv')).status).toBe(200);
    expect((await client.get('/panel/tokens')).text).toContain('The token was renamed.');
    expect((await client.get('/panel/tokens')).text).not.toContain('The token was renamed.');
  });

  it('shows it once, on an error page too', async () => {
    const [, id] = /tokens\/([0-9a-f-]{36})/.exec((await client.get('/panel/tokens')).text)!;
    await client.submit(`/panel/tokens/${id}`, `/panel/tokens/${id}`, { name: 'again' });
    expect((await client.get('/panel/nothing-here')).text).toContain('The token was renamed.');
    expect((await client.get('/panel/tokens')).text).not.toContain('The token was renamed.');
  });

  it('that sends a form gets no link to another language, which would lose the answer', async () => {
    const invitation = `/panel/operator/users/${operator.id}/invitation`;
    const madeLink = async () => client.get((await client.submit('/panel/operator/users', invitation)).location!);
    const languages = 'hreflang="zh-Hans"';
    expect((await client.get('/panel/tokens/new')).text).toContain(languages);
    for (const answer of [
      await newToken(),
      await newToken({ name: '' }),
      await madeLink(),
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
