import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { BackgroundJob } from '../common/background-job';
import { NoticeDispatcher } from './notice-dispatcher';
import { NoticeRepository } from './notice.repository';
import { WatchTroubles } from './watch-troubles';

/** When the room works by itself. Every instance does. */
@Injectable()
export class NoticesSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly watch: WatchTroubles,
    private readonly dispatcher: NoticeDispatcher,
    private readonly notices: NoticeRepository,
  ) {}

  @Cron(CronExpression.EVERY_MINUTE, { name: 'notice-watch', waitForCompletion: true })
  async look(): Promise<void> {
    await this.job.run('The look for notices', () => this.watch.look());
    await this.send();
  }

  @Cron(CronExpression.EVERY_10_SECONDS, { name: 'notice-deliveries', waitForCompletion: true })
  async send(): Promise<void> {
    await this.job.run('The sending of notices', () => this.dispatcher.sendDue());
  }

  @Cron(CronExpression.EVERY_HOUR, { name: 'notice-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.job.run('The sweep of notices', () => this.notices.deleteOld());
  }
}
