import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BalanceModule } from '../balance/balance.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { FindingsModule } from '../findings/findings.module';
import { MailModule } from '../mail/mail.module';
import { NoticesModule } from '../notices/notices.module';
import { ReconciliationModule } from '../reconciliation/reconciliation.module';
import { DepositsModule } from '../deposits/deposits.module';
import { SweepsModule } from '../deposits/sweeps/sweeps.module';
import { StakeCareModule } from '../stake-care/stake-care.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { ChainAdminService } from './chain-admin.service';
import { CheckAdminService } from './check-admin.service';
import { DepositAdminService } from './deposit-admin.service';
import { FindingAdminService } from './finding-admin.service';
import { MoneyAdminService } from './money-admin.service';
import { NoticeAdminService } from './notice-admin.service';
import { PoolAdminService } from './pool-admin.service';
import { RefundAdminService } from './refund-admin.service';
import { RestoreAdminService } from './restore-admin.service';
import { SignUpAdminService } from './sign-up-admin.service';
import { StakeAdminService } from './stake-admin.service';
import { SweepAdminService } from './sweep-admin.service';
import { TokenAdminService } from './token-admin.service';
import { UnknownCommits } from './unknown-commits';
import { UserAdminService } from './user-admin.service';
import { WebhookAdminService } from './webhook-admin.service';
import { WholeChecks } from './whole-checks';

const OPERATIONS = [
  UserAdminService,
  SignUpAdminService,
  TokenAdminService,
  WebhookAdminService,
  MoneyAdminService,
  RefundAdminService,
  PoolAdminService,
  StakeAdminService,
  DepositAdminService,
  SweepAdminService,
  ChainAdminService,
  RestoreAdminService,
  CheckAdminService,
  FindingAdminService,
  NoticeAdminService,
  WholeChecks,
];

/** Everything that operators change, from panel or command line, each with its entry in the audit log. */
@Module({
  imports: [
    AuthModule,
    BalanceModule,
    BillingModule,
    ChainModule,
    DelegationModule,
    FindingsModule,
    MailModule,
    NoticesModule,
    ReconciliationModule,
    StakeCareModule,
    DepositsModule,
    SweepsModule,
    WebhooksModule,
  ],
  providers: [...OPERATIONS, UnknownCommits],
  exports: OPERATIONS,
})
export class AdminModule {}
