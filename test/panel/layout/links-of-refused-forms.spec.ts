import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

describe('a page that answers a form of another URL', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service.close());

  it('has links to the page of the form', async () => {
    const { id } = await insertPanelUser(service, { balance: 10 });
    const { email, password } = await insertPanelUser(service, { operator: true });
    const client = new PanelClient(service.url);
    await client.signIn(email, password);
    const money = `/panel/operator/users/${id}/money`;
    const movements = `/panel/operator/users/${id}/movements`;
    const { status, text } = await client.fillIn(money, movements, { amount: 'x' });
    expect(status).toBe(422);
    expect(text).toContain(`href="${money}?days=`);
  });

  it('signs in by its form when a code came too late', async () => {
    const client = new PanelClient(service.url);
    const { status, text } = await client.submit('/panel/sign-in', '/panel/sign-in/code', { code: '123456' });
    expect(status).toBe(401);
    expect(text).toContain('<form method="post" action="/panel/sign-in"');
  });
});
