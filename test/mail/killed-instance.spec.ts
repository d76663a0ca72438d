import { MailDispatcher } from '../../src/mail/mail-dispatcher';
import { MailServer } from '../support/mail-server';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { ServiceChild } from '../support/service-child';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const EMAIL = 'ann@example.com';

describe('an instance that is killed while the mail server has its mail and has not answered', () => {
  let mail: MailServer;
  let service: TestApp;
  let child: ServiceChild;
  beforeAll(async () => {
    mail = await MailServer.open();
    const env = { SMTP_URL: mail.url, MAIL_FROM: 'energy@example.com', PUBLIC_URL: 'http://127.0.0.1:1' };
    service = await createTestApp({ backgroundWork: false, env });
    await insertPanelUser(service, { email: EMAIL });
    const nodes = { TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' };
    child = new ServiceChild({ ...env, ...nodes, PUBLIC_URL: '', DATABASE_URL: service.databaseUrl });
    await child.ready();
  });
  afterAll(async () => {
    await child?.stop('SIGKILL');
    await service?.close();
    await mail?.close();
  });

  const row = async () =>
    (
      await service.sql.rows<{ state: string; attempts: number }>({
        name: 'test_mail',
        text: 'select state, attempts from mails',
      })
    )[0];

  it('leaves it to another, which sends it again under the same id: both links work until one is used', async () => {
    mail.hold();
    const visitor = new PanelClient(child.url);
    expect((await visitor.submit('/panel/forgot', '/panel/forgot', { email: EMAIL })).status).toBe(303);
    await until('the server has it', () => Promise.resolve(mail.waiting === 1));
    await child.stop('SIGKILL');
    mail.release();
    await until('it has arrived', () => Promise.resolve(mail.received.length === 1));
    expect(await row()).toEqual({ state: 'pending', attempts: 1 });
    const other = service.app.get(MailDispatcher);
    await other.sendDue();
    expect(mail.received).toHaveLength(1);
    await service.sql.execute({ name: 'test_end', text: `update mails set claimed_until = now() - interval '1 s'` });
    await other.sendDue();
    expect(await row()).toEqual({ state: 'sent', attempts: 2 });
    const ids = mail.received.map(({ head }) => /^Message-ID: (.+)$/im.exec(head)![1]);
    expect(ids).toEqual([ids[0], ids[0]]);
    const paths = mail.received.map(({ text }) => /\/panel\/invitation\?key=[\w-]+/.exec(text)![0]);
    expect(new Set(paths).size).toBe(2);
    const open = async (path: string) => (await fetch(`${service.url}${path}`)).status;
    expect(await Promise.all(paths.map(open))).toEqual([200, 200]);
    const reader = new PanelClient(service.url);
    const passwords = { password: 'three new words for ann', again: 'three new words for ann' };
    expect((await reader.submit(paths[0]!, paths[0]!, passwords)).location).toBe('/panel');
    expect(await Promise.all(paths.map(open))).toEqual([404, 404]);
  });
});
