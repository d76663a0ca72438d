import { v7 as uuid } from 'uuid';
import { LedgerService } from '../../src/balance/ledger.service';
import { finding } from '../../src/findings/finding';
import { FindingRepository } from '../../src/findings/finding.repository';
import { NoticeDispatcher } from '../../src/notices/notice-dispatcher';
import { CHANNELS } from '../../src/notices/notice-kinds';
import { WatchTroubles } from '../../src/notices/watch-troubles';
import { UserService } from '../../src/users/user.service';
import { insertUser } from '../support/factories';
import { MailServer } from '../support/mail-server';
import { createTestApp, type TestApp } from '../support/test-app';
import { WebhookReceiver } from '../support/webhook-receiver';

export const TOKEN = '123456:a-token-that-nobody-may-ever-see';
export const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
export const OPERATOR = 'olga@example.com';
export const WALLET = { id: '01890a5d-ac96-774b-bcce-b302099a8057', name: 'main' };
export const TRX = 1_000_000n;
export const CLI = { id: null, address: 'test' };
export const TELEGRAM_PATH = `/bot${TOKEN}/sendMessage`;
export const HOOK_PATH = '/hooks/secret-path';

/** Two instances with every way to tell set up, and the servers that these lead to. Nothing is looked for or sent by itself. */
export class NoticeWorld {
  private constructor(
    readonly mail: MailServer,
    readonly http: WebhookReceiver,
    readonly env: Record<string, string>,
    readonly service: TestApp,
    readonly second: TestApp,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<NoticeWorld> {
    const [mail, http] = await Promise.all([MailServer.open(), WebhookReceiver.open()]);
    const env = {
      SMTP_URL: mail.url,
      MAIL_FROM: 'Energy <energy@example.com>',
      NOTIFY_EMAIL: OPERATOR,
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_CHAT_ID: '-1001234',
      TELEGRAM_API_URL: http.url(''),
      NOTIFY_GLANCE_AT: '08:00 Asia/Shanghai',
      NOTIFY_WEBHOOK_URL: http.url(HOOK_PATH),
      NOTIFY_WEBHOOK_SECRET: SECRET,
      PUBLIC_URL: 'https://energy.example',
      WEBHOOK_ALLOW_PRIVATE: 'on',
    };
    const apps: TestApp[] = [];
    const close = async () => {
      for (const app of apps.toReversed()) await app.close();
      http.close();
      await mail.close();
    };
    try {
      const service = await createTestApp({ backgroundWork: false, env });
      apps.push(service);
      const second = await createTestApp({ backgroundWork: false, env, databaseUrl: service.databaseUrl });
      apps.push(second);
      const world = new NoticeWorld(mail, http, env, service, second, close);
      await world.run(
        `insert into pool_wallets (id, name, address, role, key_source) values ('${WALLET.id}', 'main', 'a', 'delegate', 'env:NO_KEY')`,
      );
      return world;
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** As if nothing had been told yet, with servers that are well. */
  async clear(): Promise<void> {
    for (const table of ['notice_marks', 'notice_deliveries', 'notice_choices', 'findings'])
      await this.run(`delete from ${table}`);
    await this.run('update accounts set low_balance_sun = null, low_since = null');
    this.mail.refuse(null);
    this.mail.received.splice(0);
    this.http.received.splice(0);
    this.http.answerStatus(HOOK_PATH, 204);
    this.http.answer(TELEGRAM_PATH, (response) => response.writeHead(200).end('{"ok":true,"result":{"message_id":1}}'));
  }

  /** One more instance, whose mail goes by another server. */
  withMailServer(url: string): Promise<TestApp> {
    const { databaseUrl } = this.service;
    return createTestApp({ backgroundWork: false, databaseUrl, env: { ...this.env, SMTP_URL: url } });
  }

  run(text: string): Promise<number> {
    return this.service.sql.execute({ name: '', text });
  }

  rows<Row>(text: string): Promise<Row[]> {
    return this.service.sql.rows<Row>({ name: '', text });
  }

  look(app = this.service): Promise<unknown> {
    return app.app.get(WatchTroubles).look();
  }

  async send(app = this.service): Promise<void> {
    for (const channel of CHANNELS) await app.app.get(NoticeDispatcher).sendDue(channel);
  }

  async lookAndSend(): Promise<void> {
    await this.look();
    await this.send();
  }

  told(): Promise<{ channel: string; items: { kind: string }[] }[]> {
    return this.rows('select channel, items from notice_deliveries order by created_at, channel');
  }

  async countTold(): Promise<number> {
    return (await this.told()).length;
  }

  /** As if that much time had passed since all was told. */
  async later(hours: number): Promise<void> {
    const ago = `- interval '${hours} hours'`;
    await this.run(`update notice_marks set noticed_at = noticed_at ${ago}, begun_at = begun_at ${ago}`);
    await this.run(`update findings set first_seen_at = first_seen_at ${ago}`);
    await this.run(`update accounts set low_since = low_since ${ago}`);
  }

  lowStake(): Promise<unknown> {
    const about = { type: 'wallet', walletId: WALLET.id, wallet: WALLET.name } as const;
    return this.service.app.get(FindingRepository).seen(finding('low_stake', { transactions: '3' }, about));
  }

  async lowBalanceOf(email: string): Promise<string> {
    const userId = await insertUser(this.service.orm, { email, balance: 100 });
    await this.service.app.get(UserService).update(email, { lowBalanceSun: 50n * TRX });
    await this.move(userId, 'debit', 60n);
    return userId;
  }

  move(userId: string, kind: 'credit' | 'debit', trx: bigint): Promise<unknown> {
    const movement = { userId, amountSun: trx * TRX, note: 'x', reference: uuid() };
    return this.service.sql.transaction((tx) => this.service.app.get(LedgerService).move(kind, movement, tx));
  }
}
