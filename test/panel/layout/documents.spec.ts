import { ERROR_CODES } from '../../../src/common/errors/error-codes';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

describe('the way from the panel to the documents', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp({ backgroundWork: false })));
  afterAll(() => app.close());

  const open = async (operator: boolean, headers: Record<string, string> = {}) => {
    const email = `${operator ? 'olga' : 'ann'}${Object.keys(headers).length}@example.com`;
    const user = await insertPanelUser(app, { email, operator });
    const panel = new PanelClient(app.url, headers);
    await panel.signIn(user.email, user.password);
    return panel;
  };

  it('stands on the sign-in, in the language of the browser', async () => {
    expect((await new PanelClient(app.url).get('/panel/sign-in')).text).toContain('href="/docs/en"');
    const chinese = new PanelClient(app.url, { 'accept-language': 'zh-CN' });
    expect((await chinese.get('/panel/sign-in')).text).toContain('href="/docs/zh"');
  });

  it.each([
    ['a user', false, ['/panel/tokens', '/panel/webhooks', '/panel/balance', '/panel/orders', '/panel/nothing-here']],
    ['an operator', true, ['/panel/operator', '/panel/operator/users', '/panel/operator/settings']],
  ])('stands on each page of %s', async (_, operator, paths) => {
    const panel = await open(operator);
    for (const path of paths)
      expect([path, (await panel.get(path)).text]).toEqual([path, expect.stringContaining('href="/docs/en"')]);
  });

  it('leads from each reason of a refusal to what is said of it', async () => {
    const panel = await open(false, { 'accept-language': 'zh' });
    const { text } = await panel.get('/panel/orders/failures');
    for (const code of ERROR_CODES) expect(text).toContain(`href="/docs/zh/errors#${code}"`);
  });

  it('leads from a new token to the first order, whose call stands there, and from its page to its limits', async () => {
    const panel = await open(false, { 'x-first': 'token', 'x-second': 'header' });
    const fields = { name: 'till', permissions: ['delegate', 'balance'] };
    const answered = await panel.submit('/panel/tokens/new', '/panel/tokens/new', fields);
    const { text } = answered.location === null ? answered : await panel.get(answered.location);
    expect(text).toContain('eds_');
    expect(text).toContain('href="/docs/en/first-order"');
    const [, call = ''] = /<code id="first-order">([^<]*)<\/code>/.exec(text)!;
    expect(call).toContain(`curl ${app.url}/api/chain/delegate-resource`);
    expect(call).toContain('Authorization: Bearer $TOKEN');
    const page = /href="(\/panel\/tokens\/[0-9a-f-]{36})"/.exec((await panel.get('/panel/tokens')).text)![1]!;
    expect((await panel.get(page)).text).toContain('href="/docs/en/token-limits"');
  });

  it('leads from a new token that may not order to a call that it may make', async () => {
    const panel = await open(false, { 'x-one': '1', 'x-two': '2', 'x-three': '3' });
    const fields = { name: 'book-keeping', permissions: ['balance'] };
    const answered = await panel.submit('/panel/tokens/new', '/panel/tokens/new', fields);
    const { text } = answered.location === null ? answered : await panel.get(answered.location);
    expect(text).toContain(`curl ${app.url}/api/user/balance`);
    expect(text).not.toContain('id="first-order"');
  });
});
