import { Injectable, Logger } from '@nestjs/common';
import { Shutdown } from '../common/shutdown';
import { ChannelError } from '../common/errors/channel-error';
import { SendNotice } from './channels/send-notice';
import type { Channel } from './notice-kinds';
import { NoticeRepository } from './notice.repository';
import type { ClaimedNotice } from './notice.statements';

const MINUTE_MS = 60_000;
/** Behind each attempt that failed; after the last one it is given up. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS, 360 * MINUTE_MS];
/** For one channel. All of its sendings end within the lease, however slow their server is. */
const AT_ONCE = 10;

/**
 * Claims what is due on one way and sends it: the ways do not wait for each other. A claim ends by its lease, so what an instance left behind when it ended is another one's a minute
 * later: a message whose answer was lost with the instance comes twice, under the same id, rather than never.
 */
@Injectable()
export class NoticeDispatcher {
  private readonly logger = new Logger(NoticeDispatcher.name);

  constructor(
    private readonly notices: NoticeRepository,
    private readonly sendNotice: SendNotice,
    private readonly shutdown: Shutdown,
  ) {}

  async sendDue(channel: Channel): Promise<void> {
    while (!this.shutdown.signal.aborted) {
      const claimed = await this.notices.claim(channel, AT_ONCE);
      await Promise.all(claimed.map((notice) => this.send(notice)));
      if (claimed.length < AT_ONCE) return;
    }
  }

  private async send(notice: ClaimedNotice): Promise<void> {
    const { channel, recipient, attempts } = notice;
    try {
      // An instance that ends while it sends records nothing: its attempt counts all the same.
      if (attempts > DELAYS_MS.length + 1) throw new ChannelError('EATTEMPTS');
      await this.sendNotice.send(channel, notice, recipient);
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error;
      const delayMs = DELAYS_MS[attempts - 1];
      const state = delayMs === undefined ? 'failed' : 'pending';
      this.logger.warn(
        `A notice by ${channel} was not taken (${error.code})${state === 'failed' ? ', and is given up' : ''}`,
      );
      const waitMs = delayMs === undefined ? null : Math.max(delayMs, error.retryAfterMs);
      await this.notices.record(notice, state, error.code, waitMs);
      return;
    }
    await this.notices.record(notice, 'sent', null, null);
  }
}
