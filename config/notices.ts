import { LANGUAGE_CODES, type Language } from './languages';
import { isLoopbackHost } from './loopback';
import type { SettingReader } from './setting-reader';
import { WEBHOOK_FORMATS, type WebhookFormat, webhookFormatOf } from './webhook-format';

/** Where operators are told what is wrong, and customers that their balance is low. What is null is not set up. */
export interface Notices {
  readonly notices: {
    /** Language of operators' notices; customers get all. */
    readonly language: Language;
    readonly email: {
      /** With user and password: never shown. */
      readonly smtpUrl: string;
      /** A password may go to another machine without TLS. */
      readonly allowPlain?: true;
      readonly from: string;
      /** Addresses that get the operators' notices; none: every operator who is enabled. */
      readonly to: readonly string[];
    } | null;
    readonly telegram: {
      /** Never shown: who has it is the bot. */
      readonly token: string;
      readonly chatId: string;
      readonly apiUrl: string;
    } | null;
    readonly webhook: {
      /** Its path may be the secret of whom it leads to: only its host is shown. */
      readonly url: string;
      /** 32 bytes or so; null: nothing is signed. */
      readonly secret: string | null;
      readonly format: WebhookFormat;
    } | null;
    /** When operators get the morning glance: `08:00`, by the clock of a zone. Null: never. */
    readonly glance: { readonly timeOfDay: string; readonly zone: string } | null;
  };
}

export const ADDRESS = /^[^\s@<>",]+@[^\s@<>",]+$/;
const FROM = /^(?:[^<>\r\n]+<[^\s@<>",]+@[^\s@<>",]+>|[^\s@<>",]+@[^\s@<>",]+)$/;
const BOT_TOKEN = /^\d+:[\w-]+$/;
const CHAT_ID = /^(?:-?\d{1,20}|@\w{3,64})$/;
const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/;

export function readNotices(settings: SettingReader): Notices {
  const ways = { email: readEmail(settings), telegram: readTelegram(settings), webhook: readWebhook(settings) };
  const hasWay = Object.values(ways).some((way) => way !== null);
  const language = settings.choice('NOTIFY_LANGUAGE', LANGUAGE_CODES, 'en');
  return { notices: { language, ...ways, glance: readGlance(settings, hasWay) } };
}

/** What asks for a connection without TLS, which would give the password to everybody on the way. */
const WITHOUT_TLS = /[?&](?:ignoreTLS|opportunisticTLS)=(?!false)|[?&](?:requireTLS|secure)=false/i;

function readEmail(settings: SettingReader): Notices['notices']['email'] {
  const smtpUrl = settings.url('SMTP_URL', ['smtp://', 'smtps://']);
  const to = (settings.text('NOTIFY_EMAIL') ?? '').split(',').flatMap((address) => address.trim() || []);
  if (!to.every((address) => ADDRESS.test(address))) {
    settings.wrong('NOTIFY_EMAIL', 'must be an e-mail address, or several separated by commas', undefined);
  }
  const from = settings.text('MAIL_FROM');
  if (from !== undefined && !FROM.test(from)) {
    settings.wrong(
      'MAIL_FROM',
      'must be an e-mail address such as energy@example.com or Energy <energy@example.com>',
      null,
    );
  }
  if (smtpUrl === undefined) {
    const lonely = to.length > 0 ? 'NOTIFY_EMAIL' : from === undefined ? null : 'MAIL_FROM';
    return lonely === null ? null : settings.wrong(lonely, 'needs SMTP_URL', null);
  }
  if (from === undefined) return settings.wrong('MAIL_FROM', 'is required with SMTP_URL', null);
  const asked = settings.choice('SMTP_ALLOW_PLAIN', ['on', 'off'], 'off') === 'on';
  const { hostname, password } = new URL(smtpUrl);
  const leaves = password !== '' && !isLoopbackHost(hostname);
  if (leaves && !asked && WITHOUT_TLS.test(smtpUrl)) {
    return settings.wrong('SMTP_URL', 'must not send its password without TLS, unless SMTP_ALLOW_PLAIN=on', null);
  }
  return { smtpUrl, from, to, ...(asked && leaves && !isSecure(smtpUrl) && { allowPlain: true as const }) };
}

/** TLS from the first byte on. */
function isSecure(smtpUrl: string): boolean {
  return smtpUrl.startsWith('smtps:') && !WITHOUT_TLS.test(smtpUrl);
}

/** The values stay out of the messages. */
function readTelegram(settings: SettingReader): Notices['notices']['telegram'] {
  const [token, chatId] = [settings.text('TELEGRAM_BOT_TOKEN'), settings.text('TELEGRAM_CHAT_ID')];
  const apiUrl = settings.webUrl('TELEGRAM_API_URL') ?? 'https://api.telegram.org';
  if (token === undefined && chatId === undefined) return null;
  if (token === undefined) return settings.wrong('TELEGRAM_CHAT_ID', 'needs TELEGRAM_BOT_TOKEN', null);
  if (!BOT_TOKEN.test(token)) return settings.wrong('TELEGRAM_BOT_TOKEN', 'must be the token of a bot, 123456:…', null);
  if (chatId === undefined) return settings.wrong('TELEGRAM_BOT_TOKEN', 'needs TELEGRAM_CHAT_ID', null);
  if (CHAT_ID.test(chatId)) return { token, chatId, apiUrl };
  return settings.wrong('TELEGRAM_CHAT_ID', 'must be the number of a chat, or @name of a channel', null);
}

function readWebhook(settings: SettingReader): Notices['notices']['webhook'] {
  const url = settings.url('NOTIFY_WEBHOOK_URL', ['http://', 'https://']);
  const secret = settings.text('NOTIFY_WEBHOOK_SECRET') ?? null;
  if (secret !== null && !SIGNING_SECRET.test(secret)) {
    settings.wrong('NOTIFY_WEBHOOK_SECRET', 'must be whsec_ and random bytes in base64', null);
  }
  const format = settings.choice('NOTIFY_WEBHOOK_FORMAT', ['auto', ...WEBHOOK_FORMATS], 'auto');
  if (url !== undefined) return { url, secret, format: format === 'auto' ? webhookFormatOf(url) : format };
  if (format !== 'auto') settings.wrong('NOTIFY_WEBHOOK_FORMAT', 'needs NOTIFY_WEBHOOK_URL', null);
  return secret === null ? null : settings.wrong('NOTIFY_WEBHOOK_SECRET', 'needs NOTIFY_WEBHOOK_URL', null);
}

const GLANCE_AT = /^((?:[01]\d|2[0-3]):[0-5]\d)(?: ([A-Z][\w+-]*(?:\/[\w+-]+)*))?$/;

function readGlance(settings: SettingReader, hasWay: boolean): Notices['notices']['glance'] {
  const value = settings.text('NOTIFY_GLANCE_AT');
  if (value === undefined) return null;
  if (!hasWay) {
    return settings.wrong('NOTIFY_GLANCE_AT', 'needs SMTP_URL, TELEGRAM_BOT_TOKEN or NOTIFY_WEBHOOK_URL', null);
  }
  const [, timeOfDay, zone = 'UTC'] = GLANCE_AT.exec(value) ?? [];
  if (timeOfDay !== undefined && isZone(zone)) return { timeOfDay, zone };
  const problem = `must be a time of day, with a time zone unless that is UTC, as 08:00 or 08:00 Asia/Shanghai, not "${value}"`;
  return settings.wrong('NOTIFY_GLANCE_AT', problem, null);
}

function isZone(name: string): boolean {
  return name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name);
}
