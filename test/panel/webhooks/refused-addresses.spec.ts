import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { SharedCommandLine } from '../../support/shared-command-line';
import { createTestApp, type TestApp } from '../../support/test-app';

const SETTING = 'WEBHOOK_ALLOW_PRIVATE';

describe('the refused address of a webhook', () => {
  let service: TestApp;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    cli = SharedCommandLine.on(service.databaseUrl);
  });
  afterAll(() => service.close());

  it.each(['https://localhost/', 'https://10.1.2.3/', 'https://shop.svc/', 'http://shop.example/'])(
    '%s names the setting that allows it to operators on the command line, and to no customer',
    async (url) => {
      const user = await insertPanelUser(service);
      const client = new PanelClient(service.url);
      await client.signIn(user.email, user.password);
      for (const [language, words] of [
        ['en', 'The URL of a webhook'],
        ['zh', 'Webhook 的 URL'],
      ]) {
        await client.get(`/panel/webhooks?lang=${language}`);
        const { status, text } = await client.fillIn('/panel/webhooks/new', '/panel/webhooks/new', { url });
        expect([status, text]).toEqual([422, expect.stringContaining(words!) as string]);
        expect(text).not.toContain(SETTING);
      }
      const { exitCode, stderr } = await cli.run('webhook:add', '--user', user.email, '--url', url);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${SETTING}=on allows`) as string]);
    },
  );
});
