import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { DepositsModule } from '../deposits/deposits.module';
import { ReportingModule } from '../reporting/reporting.module';
import { FindingsModule } from '../findings/findings.module';
import { MailModule } from '../mail/mail.module';
import { AttentionService } from './attention/attention.service';
import { SendNotice } from './channels/send-notice';
import { FindTroubles } from './find-troubles';
import { GlanceTurnRepository } from './glance/glance-turn.repository';
import { MorningGlance } from './glance/morning-glance';
import { SendGlance } from './glance/send-glance';
import { NoticeDispatcher } from './notice-dispatcher';
import { NoticeRepository } from './notice.repository';
import { NoticeService } from './notice.service';
import { NoticesSchedule } from './notices.schedule';
import { WatchTroubles } from './watch-troubles';

/** Informs operators of what is wrong and, once a day, of how things are, and customers that their balance is low. */
@Module({
  imports: [AuthModule, MailModule, ChainModule, DelegationModule, DepositsModule, ReportingModule, FindingsModule],
  providers: [
    NoticeRepository,
    FindTroubles,
    WatchTroubles,
    SendNotice,
    NoticeDispatcher,
    NoticeService,
    NoticesSchedule,
    AttentionService,
    MorningGlance,
    GlanceTurnRepository,
    SendGlance,
  ],
  exports: [NoticeService, WatchTroubles, NoticeDispatcher, AttentionService, MorningGlance],
})
export class NoticesModule {}
