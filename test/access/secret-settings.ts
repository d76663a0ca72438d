import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { MailServer } from '../support/mail-server';
import { WebhookReceiver } from '../support/webhook-receiver';
import type { KnownSecrets } from './known-secrets';

export const random = (): string => randomBytes(24).toString('hex');
const CHAT = '-1001234';

/** Every setting that is secret or holds something secret, but for the database's, with servers that want them. */
export class SecretSettings {
  private constructor(
    readonly mail: MailServer,
    readonly receiver: WebhookReceiver,
    /** Receives traces. */
    private readonly collector: WebhookReceiver,
    readonly telegramPath: string,
    readonly hookPath: string,
    readonly env: Record<string, string>,
  ) {}

  static async open(known: KnownSecrets): Promise<SecretSettings> {
    const [mail, receiver, collector] = await Promise.all([
      MailServer.open(),
      WebhookReceiver.open(),
      WebhookReceiver.open(),
    ]);
    const secret = (name: string, value = random()) => {
      known.add(name, value);
      return value;
    };
    const botToken = `123456:${secret('TELEGRAM_BOT_TOKEN')}`;
    const hookPath = `/hooks/${secret('the path of NOTIFY_WEBHOOK_URL')}`;
    const hookSecret = secret('NOTIFY_WEBHOOK_SECRET', randomBytes(33).toString('base64'));
    known.add('the password of SMTP_URL', mail.password);
    const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/195'/0'");
    const env = {
      DEPOSIT_XPUB: secret('DEPOSIT_XPUB', account.publicExtendedKey),
      METRICS_TOKEN: secret('METRICS_TOKEN'),
      TRON_API_KEY: secret('TRON_API_KEY'),
      SECRET_KEYS: [1, 2].map((at) => secret(`SECRET_KEYS, ${at}`, randomBytes(32).toString('base64'))).join(','),
      SMTP_URL: mail.url,
      MAIL_FROM: 'energy@example.com',
      NOTIFY_EMAIL: 'olga@example.com',
      SIGN_UP: 'approval',
      TELEGRAM_BOT_TOKEN: botToken,
      TELEGRAM_CHAT_ID: CHAT,
      TELEGRAM_API_URL: receiver.url(''),
      NOTIFY_WEBHOOK_URL: receiver.url(hookPath),
      NOTIFY_WEBHOOK_SECRET: `whsec_${hookSecret}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url(''),
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${secret('OTEL_EXPORTER_OTLP_HEADERS')}`,
      WEBHOOK_ALLOW_PRIVATE: 'on',
    };
    return new SecretSettings(mail, receiver, collector, `/bot${botToken}/sendMessage`, hookPath, env);
  }

  /** Whether notices are taken; refused, the mail server says the password that it was given. */
  takeNotices(areTaken: boolean): void {
    this.mail.refuse(areTaken ? null : 451);
    for (const path of [this.telegramPath, this.hookPath])
      this.receiver.answer(path, (response) => response.writeHead(areTaken ? 200 : 500).end('{"ok":true}'));
  }

  /** What has left by webhook, mail, chat and hook, without the addresses: some are secret by themselves. */
  get sent(): string[] {
    return [
      ...this.receiver.received.map(({ headers, text }) => `${JSON.stringify(headers)}\n${text}`),
      ...this.mail.received.map(({ text }) => text),
    ];
  }

  /** The spans, as OTLP has them in JSON. */
  get traces(): string {
    return this.collector
      .at('/v1/traces')
      .map(({ text }) => text)
      .join('\n');
  }

  async close(): Promise<void> {
    this.receiver.close();
    this.collector.close();
    await this.mail.close();
  }
}
