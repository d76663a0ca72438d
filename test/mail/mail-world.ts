import { MailDispatcher } from '../../src/mail/mail-dispatcher';
import { MailServer } from '../support/mail-server';
import { PanelClient } from '../support/panel-client';
import { createTestApp, type TestApp } from '../support/test-app';

export const PASSWORD = 'four unrelated words of hers';

/** A sign-up by the service, without address and network. */
export const ASKED = { name: 'Zoe', language: 'en', password: PASSWORD, browser: 'a secret of the browser' };

export interface MailRowView {
  readonly kind: string;
  readonly address: string;
  readonly state: string;
  readonly attempts: number;
  readonly error: string | null;
}

/** Two instances of a service that strangers may sign up to, and its mail server. Nothing is sent by itself. */
export class MailWorld {
  private constructor(
    readonly mail: MailServer,
    readonly env: Record<string, string>,
    readonly service: TestApp,
    readonly second: TestApp,
    private readonly apps: TestApp[],
  ) {}

  static async open(env: Record<string, string> = {}): Promise<MailWorld> {
    const mail = await MailServer.open();
    const all = {
      SMTP_URL: mail.url,
      MAIL_FROM: 'Energy <energy@example.com>',
      PUBLIC_URL: 'https://energy.example',
      SITE_NAME: 'Blitz & Co',
      SIGN_UP: 'open',
      TRUST_PROXY: '1',
      ...env,
    };
    const apps: TestApp[] = [];
    try {
      const service = await createTestApp({ backgroundWork: false, env: all });
      apps.push(service);
      const second = await createTestApp({ backgroundWork: false, env: all, databaseUrl: service.databaseUrl });
      apps.push(second);
      return new MailWorld(mail, all, service, second, apps);
    } catch (error) {
      for (const app of apps) await app.close();
      await mail.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const app of this.apps.toReversed()) await app.close();
    await this.mail.close();
  }

  /** One more instance, with other settings. */
  async instance(env: Record<string, string>): Promise<TestApp> {
    const app = await createTestApp({
      backgroundWork: false,
      env: { ...this.env, ...env },
      databaseUrl: this.service.databaseUrl,
    });
    this.apps.push(app);
    return app;
  }

  /** Without mails, and without what counts them. */
  async clear(): Promise<void> {
    await this.run('delete from mails');
    await this.run('delete from sign_ups');
    this.mail.refuse(null);
    this.mail.received.splice(0);
  }

  run(text: string): Promise<number> {
    return this.service.sql.execute({ name: '', text });
  }

  rows<Row>(text: string): Promise<Row[]> {
    return this.service.sql.rows<Row>({ name: '', text });
  }

  mails(): Promise<MailRowView[]> {
    return this.rows('select kind, address, state, attempts, error from mails order by created_at, id');
  }

  send(app = this.service): Promise<void> {
    return app.app.get(MailDispatcher).sendDue();
  }

  /** A browser in a network of its own. */
  visitor(network = '203.0.113.7', language = 'en'): PanelClient {
    return new PanelClient(this.service.url, { 'X-Forwarded-For': network, 'Accept-Language': language });
  }

  /** The panel's page that the newest mail to this address leads to. */
  pathTo(address: string): string {
    const link = this.mail.linkTo(address);
    if (link === null) throw new Error(`no mail to ${address} has a link`);
    return link.replace('https://energy.example', '');
  }
}
