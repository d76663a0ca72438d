import { SendMail } from '../../src/mail/send-mail';
import { MailServer } from '../support/mail-server';
import { createTestApp, type TestApp } from '../support/test-app';

/** 127.0.0.1 as a number: the system knows where it leads, and the service does not see that it is this machine. */
const NUMBERED = '2130706433';
const MAIL = { id: 'one', to: ['ann@example.com'], subject: 'A word', text: 'A word.' };

describe('a mail server that offers TLS with a certificate of its own making', () => {
  let server: MailServer;
  const apps: TestApp[] = [];
  beforeAll(async () => {
    server = await MailServer.open({ offersTls: true });
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await server.close();
  });
  const send = async (url: string) => {
    const env = { SMTP_URL: url, MAIL_FROM: 'energy@example.com' };
    const service = await createTestApp({ backgroundWork: false, env });
    apps.push(service);
    return service.app.get(SendMail).send(MAIL);
  };

  it('is given mails, where it is on this machine', async () => {
    await send(server.url);
    expect(server.to('ann@example.com')).toHaveLength(1);
  });

  it('is given neither mail nor password, where it is another machine', async () => {
    const attempts = server.attempts;
    await expect(send(server.urlAs(NUMBERED))).rejects.toThrow('ESOCKET');
    expect(server.attempts).toBe(attempts);
    expect(server.received).toHaveLength(1);
  });

  it('is given mails there too, where the URL says so', async () => {
    await send(`${server.urlAs(NUMBERED)}/?tls.rejectUnauthorized=false`);
    expect(server.received).toHaveLength(2);
  });
});
