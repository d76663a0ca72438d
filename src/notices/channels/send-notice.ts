import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { PanelAddress } from '../../common/http/panel-address';
import { Clock } from '../../common/clock';
import { signWebhook } from '../../webhooks/signature';
import type { Channel, OperatorChannel } from '../notice-kinds';
import { NoticeRepository } from '../notice.repository';
import { ChannelError } from '../../common/errors/channel-error';
import { customerSubject, customerText, type NoticeMessage, operatorSubject, operatorText } from './notice-message';
import { postJson } from './post-json';
import { SendMail } from '../../mail/send-mail';
import { chatBody } from './webhook-body';

/** Telegram takes 4,096 characters. */
const MOST_CHARACTERS = 4_000;

/** One message on one way. */
@Injectable()
export class SendNotice {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly mail: SendMail,
    private readonly notices: NoticeRepository,
    private readonly address: PanelAddress,
    private readonly clock: Clock,
  ) {}

  /** `recipient`: of a message to a customer. @throws ChannelError */
  async send(channel: Channel, message: NoticeMessage, recipient: string | null): Promise<void> {
    if (channel === 'customers') return this.toCustomer(message, recipient);
    await this.ways[channel](message);
  }

  private readonly ways: Record<OperatorChannel, (message: NoticeMessage) => Promise<void>> = {
    email: async (message) => {
      const { email, language } = this.configuration.notices;
      if (!email) throw new ChannelError('ENOTSETUP');
      const to = email.to.length > 0 ? email.to : await this.notices.operators();
      if (to.length === 0) throw new ChannelError('ENOOPERATOR');
      const subject = operatorSubject(message, language, this.configuration.customers.siteName);
      await this.mail.send({ id: message.id, to, subject, text: this.textOf(message) });
    },
    telegram: async (message) => {
      const { telegram } = this.configuration.notices;
      if (!telegram) throw new ChannelError('ENOTSETUP');
      const text = Array.from(this.textOf(message)).slice(0, MOST_CHARACTERS).join('');
      const body = { chat_id: telegram.chatId, text, link_preview_options: { is_disabled: true } };
      await postJson(`${telegram.apiUrl}/bot${telegram.token}/sendMessage`, JSON.stringify(body), { saysSo: true });
    },
    webhook: async (message) => {
      const { webhook } = this.configuration.notices;
      if (!webhook) throw new ChannelError('ENOTSETUP');
      if (webhook.format !== 'json') {
        const body = JSON.stringify(chatBody(webhook.format, this.textOf(message)));
        return postJson(webhook.url, body, { saysSo: true });
      }
      const now = this.clock.now();
      // `text` by itself is what chats' incoming webhooks show.
      const body = JSON.stringify({
        type: 'notice',
        timestamp: now.toISOString(),
        text: this.textOf(message),
        data: { notices: message.items },
      });
      await postJson(webhook.url, body, { headers: signature(webhook.secret, message.id, body, now) });
    },
  };

  private async toCustomer(message: NoticeMessage, recipient: string | null): Promise<void> {
    if (recipient === null) throw new ChannelError('ENOTSETUP');
    const { siteName, topUpText } = this.configuration.customers;
    const text = customerText(message, this.address.baseUrl(), {
      text: topUpText,
      deposits: this.configuration.deposits !== null,
    });
    await this.mail.send({ id: message.id, to: [recipient], subject: customerSubject(siteName), text });
  }

  private textOf(message: NoticeMessage): string {
    const page = message.items[0]?.kind === 'glance' ? '/panel/operator/today' : '/panel/operator';
    return operatorText(message, this.configuration.notices.language, `${this.address.baseUrl()}${page}`);
  }
}

/** Standard Webhooks 1.0, as customers' webhooks are signed. */
function signature(secret: string | null, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) };
  if (secret === null) return headers;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return { ...headers, 'webhook-signature': signWebhook({ id, timestamp, body }, [key]) };
}
