import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

const TOKEN = { name: 'sent from an old tab', permissions: 'balance' };
const HTTPS = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'energy.example' };

describe('forms of the panel', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { TRUST_PROXY: 'loopback' } });
  });
  afterAll(() => service.close());

  const visitor = (headers?: Record<string, string>) => new PanelClient(service.url, headers);
  const tokenOn = async (client: PanelClient, page: string) =>
    /name="_csrf" value="([^"]+)"/.exec((await client.get(page)).text)![1]!;

  async function signedIn(headers?: Record<string, string>) {
    const user = await insertPanelUser(service);
    const client = visitor(headers);
    expect((await client.signIn(user.email, user.password)).status).toBe(303);
    return { user, client };
  }

  it('stay good in open tabs when a link on another site leads to the panel, or a form there to nothing', async () => {
    const { client } = await signedIn();
    const openTab = await tokenOn(client, '/panel/tokens/new');
    // What the other site brings about: a GET with the lax cookies, a POST without any.
    for (const kept of [true, false]) {
      const arriving = visitor({ 'Sec-Fetch-Site': 'cross-site' });
      if (kept) for (const [name, value] of client.cookies) arriving.cookies.set(name, value);
      await (kept ? arriving.get('/panel/tokens') : arriving.post('/panel/tokens/new', TOKEN));
      for (const [set, to] of arriving.cookies) client.cookies.set(set, to);
    }
    expect((await client.post('/panel/tokens/new', { ...TOKEN, _csrf: openTab })).status).toBe(200);
  });

  it('stay good on the sign-in page after another site has led to it', async () => {
    const user = await insertPanelUser(service);
    const client = visitor();
    const { headers } = await client.get('/panel/sign-in');
    const cookie = headers.getSetCookie().find((line) => line.startsWith('panel_form='));
    expect(cookie).toMatch(/; Max-Age=43200; Path=\/panel;.*; HttpOnly; SameSite=Lax/);
    const openTab = await tokenOn(client, '/panel/sign-in');
    await client.get('/panel/sign-in');
    const { email, password } = user;
    expect((await client.post('/panel/sign-in', { email, password, _csrf: openTab })).status).toBe(303);
  });

  it.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
    [{ Origin: 'https://evil.example' }],
    [{ Origin: 'null' }],
    [{ 'Sec-Fetch-Site': 'none', Origin: 'https://evil.example' }],
  ])('are refused from another site, which signs nobody in as somebody else: %j', async (headers) => {
    const { email, password } = await insertPanelUser(service);
    const client = visitor();
    const _csrf = await tokenOn(client, '/panel/sign-in');
    const foreign = visitor(headers);
    for (const [name, value] of client.cookies) foreign.cookies.set(name, value);
    const answer = await foreign.post('/panel/sign-in', { email, password, _csrf });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('another site');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    [{ 'Sec-Fetch-Site': 'same-origin' }],
    [{ 'Sec-Fetch-Site': 'none' }],
    [{ Origin: 'http://127.0.0.1:8080' }],
    [{ ...HTTPS, Origin: 'https://energy.example' }],
  ])('are taken from the panel itself: %j', async (headers) => {
    await signedIn(headers);
  });

  it('let a browser say where a form comes from', async () => {
    expect((await visitor().get('/panel/sign-in')).headers.get('referrer-policy')).toBe('same-origin');
  });

  it('are bound to the visitor they were made for, before sign-in too', async () => {
    const { email, password } = await insertPanelUser(service);
    const client = visitor();
    await client.get('/panel/sign-in');
    const _csrf = await tokenOn(visitor(), '/panel/sign-in');
    expect((await client.post('/panel/sign-in', { email, password, _csrf })).status).toBe(403);
  });

  it('use on https only cookies that no other host and no plain connection can have set', async () => {
    const { client, user } = await signedIn(HTTPS);
    expect([...client.cookies.keys()].every((name) => name.startsWith('__Host-'))).toBe(true);
    const fresh = visitor(HTTPS);
    const lines = (await fresh.signIn(user.email, user.password)).headers.getSetCookie();
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/; Path=\/;.*; HttpOnly; Secure; SameSite=Lax/);
    const planted = visitor(HTTPS);
    for (const [name, value] of client.cookies) planted.cookies.set(name.replace('__Host-', ''), value);
    expect((await planted.get('/panel/tokens')).status).toBe(303);
  });
});
