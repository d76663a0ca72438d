import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule } from '../admin/admin.module';
import { AuthModule } from '../auth/auth.module';
import { BalanceModule } from '../balance/balance.module';
import { BillingModule } from '../billing/billing.module';
import { type Infrastructure, InfrastructureModule } from '../bootstrap/infrastructure.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { FindingsModule } from '../findings/findings.module';
import { ReconciliationModule } from '../reconciliation/reconciliation.module';
import { POOL_AND_ORDER_COMMANDS } from './pool-and-order.commands';
import { USER_AND_MONEY_COMMANDS } from './user-and-money.commands';

/** The service's rooms without HTTP and without background work: a command does what it says and ends. */
@Module({
  imports: [
    AuthModule,
    BalanceModule,
    BillingModule,
    ChainModule,
    DelegationModule,
    FindingsModule,
    ReconciliationModule,
    AdminModule,
  ],
  providers: [...USER_AND_MONEY_COMMANDS, ...POOL_AND_ORDER_COMMANDS],
})
export class CliModule {
  static with(infrastructure: Infrastructure): DynamicModule {
    return { module: CliModule, imports: [InfrastructureModule.with(infrastructure, false)] };
  }
}
