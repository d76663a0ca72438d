import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BalanceModule } from '../balance/balance.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { OperateChecks } from './check-admin.service';
import { OperateMoney } from './money-admin.service';
import { OperatePool } from './pool-admin.service';
import { OperateFindings } from './finding-admin.service';
import { OperateTokens } from './token-admin.service';
import { OperateUsers } from './user-admin.service';
import { WholeChecks } from './whole-checks';

const OPERATIONS = [
  OperateUsers,
  OperateTokens,
  OperateMoney,
  OperatePool,
  OperateChecks,
  OperateFindings,
  WholeChecks,
];

/** All that operators change, from the panel and from the command line alike: nothing of it without an entry in the audit log. */
@Module({
  imports: [AuthModule, BalanceModule, BillingModule, ChainModule, DelegationModule],
  providers: OPERATIONS,
  exports: OPERATIONS,
})
export class OperateModule {}
