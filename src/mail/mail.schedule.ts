import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { BackgroundJob } from '../common/background-job';
import { MailDispatcher } from './mail-dispatcher';
import { MailRepository } from './mail.repository';

/** When the room works by itself. Every instance does. */
@Injectable()
export class MailSchedule {
  constructor(
    private readonly job: BackgroundJob,
    private readonly dispatcher: MailDispatcher,
    private readonly mails: MailRepository,
  ) {}

  /** People wait for the link of a mail. */
  @Cron(CronExpression.EVERY_5_SECONDS, { name: 'mail-sending', waitForCompletion: true })
  async send(): Promise<void> {
    await this.job.run('The sending of mails', () => this.dispatcher.sendDue());
  }

  @Cron(CronExpression.EVERY_HOUR, { name: 'mail-sweep', waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.job.run('The sweep of mails', () => this.mails.deleteOld());
  }
}
