import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { BackgroundJob } from '../common/background-job';
import { SendGlance } from './glance/send-glance';
import { NoticeDispatcher } from './notice-dispatcher';
import type { Channel } from './notice-kinds';
import { NoticeRepository } from './notice.repository';
import { WatchTroubles } from './watch-troubles';

/** When the room works by itself. Every instance does. */
@Injectable()
export class NoticesSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly watch: WatchTroubles,
    private readonly glance: SendGlance,
    private readonly dispatcher: NoticeDispatcher,
    private readonly notices: NoticeRepository,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { name: 'notice-watch', waitForCompletion: true })
  async look(): Promise<void> {
    await this.job.run('The look for notices', () => this.watch.look());
  }

  @Cron(CronExpression.EVERY_MINUTE, { name: 'notice-glance', waitForCompletion: true })
  async sendGlance(): Promise<void> {
    await this.job.run('The morning glance', () => this.glance.sendDue());
  }

  // One for each way: a schedule waits for its own work alone, so a server that does not answer holds up no other way and no look.

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'notice-mails', waitForCompletion: true })
  sendMails(): Promise<void> {
    return this.send('email');
  }

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'notice-telegrams', waitForCompletion: true })
  sendTelegrams(): Promise<void> {
    return this.send('telegram');
  }

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'notice-webhooks', waitForCompletion: true })
  sendWebhooks(): Promise<void> {
    return this.send('webhook');
  }

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'notice-customers', waitForCompletion: true })
  sendToCustomers(): Promise<void> {
    return this.send('customers');
  }

  @Cron(CronExpression.EVERY_HOUR, { name: 'notice-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.job.run('The sweep of notices', () => this.notices.deleteOld(this.watch.channels()));
  }

  private send(channel: Channel): Promise<void> {
    return this.job.run(`The sending of notices (${channel})`, () => this.dispatcher.sendDue(channel));
  }
}
