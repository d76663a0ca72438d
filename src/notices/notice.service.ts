import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import type { SqlTransaction } from '../database/sql';
import { inEachLanguage } from '../languages/languages';
import { ChannelError } from '../common/errors/channel-error';
import { SendNotice } from './channels/send-notice';
import { type AnyKind, type Channel, CHANNELS, kindsOf, type OperatorChannel } from './notice-kinds';
import { NoticeRepository } from './notice.repository';
import type { NoticeView } from './notice.statements';
import { WatchTroubles } from './watch-troubles';

export type { NoticeView } from './notice.statements';

export interface ChannelView {
  readonly channel: Channel;
  /** Where it leads, without what is secret; null: not set up. */
  readonly leadsTo: string | null;
  readonly kinds: readonly AnyKind[];
}

/** The channels that are set up, the kinds that were chosen, the notices that were sent. */
@Injectable()
export class NoticeService {
  constructor(
    private readonly notices: NoticeRepository,
    private readonly watch: WatchTroubles,
    private readonly sendNotice: SendNotice,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async channels(): Promise<ChannelView[]> {
    const choices = await this.notices.choices();
    const open = this.watch.channels();
    return CHANNELS.map((channel) => ({
      channel,
      leadsTo: open.includes(channel) ? this.leadsTo(channel) : null,
      kinds: choices[channel],
    }));
  }

  /** Newest first. */
  latest(most: number): Promise<NoticeView[]> {
    return this.notices.latest(most);
  }

  /** Returns what was chosen before. */
  async choose(channel: Channel, kinds: readonly string[], tx: SqlTransaction): Promise<readonly AnyKind[]> {
    const before = (await this.notices.choices())[channel];
    await this.notices.choose(
      channel,
      kindsOf(channel).filter((kind) => kinds.includes(kind)),
      tx,
    );
    return before;
  }

  /** Null when it was taken; else a short code that says why not. */
  async test(channel: OperatorChannel): Promise<string | null> {
    try {
      const text = inEachLanguage(({ notices }) => notices.test);
      await this.sendNotice.send(channel, { id: uuid(), items: [{ kind: 'test', text }] }, null);
      return null;
    } catch (error) {
      if (error instanceof ChannelError) return error.code;
      throw error;
    }
  }

  private leadsTo(channel: Channel): string {
    const { email, telegram, webhook } = this.configuration.notices;
    if (channel === 'telegram') return telegram!.chatId;
    if (channel === 'webhook') return new URL(webhook!.url).host;
    const server = new URL(email!.smtpUrl).host;
    return channel === 'email' ? `${email!.to.join(', ') || '*'} (${server})` : server;
  }
}
