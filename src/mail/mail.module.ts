import { Module } from '@nestjs/common';
import { CommonModule } from '../common/common.module';
import { DroppedMails } from './dropped-mails';
import { MailDispatcher } from './mail-dispatcher';
import { MailLinks } from './mail-links';
import { MailOutbox } from './mail-outbox';
import { MailRepository } from './mail.repository';
import { MailSchedule } from './mail.schedule';
import { SendMail } from './send-mail';

/** Mail to users: an outbox, and the connection to the mail server that notices use too. */
@Module({
  imports: [CommonModule],
  providers: [MailRepository, DroppedMails, MailOutbox, MailLinks, SendMail, MailDispatcher, MailSchedule],
  exports: [MailRepository, MailOutbox, MailLinks, SendMail, MailDispatcher],
})
export class MailModule {}
