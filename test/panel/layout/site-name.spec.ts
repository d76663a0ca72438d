import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

describe('the name of the service', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp({ backgroundWork: false, env: { SITE_NAME: 'Volt & <Co>' } })));
  afterAll(() => app.close());

  const expectNamed = (text: string, title: string) => {
    expect(text).toContain(`<title>${title} · Volt &amp; &lt;Co></title>`);
    expect(text).toMatch(/<a class="brand" href="\/panel">.*?>Volt &amp; &lt;Co>?<\/a>/);
    expect(text).not.toMatch(/Energy panel|能量面板/);
  };

  it('stands in title and header of each page of the panel, in both languages, also of one that failed', async () => {
    expectNamed((await new PanelClient(app.url).get('/panel/sign-in')).text, 'Sign in');
    const chinese = new PanelClient(app.url, { 'accept-language': 'zh-CN' });
    expectNamed((await chinese.get('/panel/sign-in')).text, '登录');
    const body = new URLSearchParams({ email: 'x'.repeat(40_000) });
    const unread = await fetch(`${app.url}/panel/sign-in`, { method: 'POST', body });
    expectNamed(await unread.text(), 'This cannot be done');
    const user = await insertPanelUser(app);
    const client = new PanelClient(app.url);
    await client.signIn(user.email, user.password);
    expectNamed((await client.get('/panel/balance')).text, 'Balance');
    expectNamed((await client.get('/panel/nothing-here')).text, 'Page not found');
  });
});
