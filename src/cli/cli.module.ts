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
import { ReportingModule } from '../reporting/reporting.module';
import { DepositsModule } from '../deposits/deposits.module';
import { SweepsModule } from '../deposits/sweeps/sweeps.module';
import { StakeCareModule } from '../stake-care/stake-care.module';
import { WeakSettingsModule } from '../weak-settings/weak-settings.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { COMMANDS } from './cli-command';
import './user.commands';
import './sign-up.commands';
import './token.commands';
import './balance.commands';
import './ledger.commands';
import './book.commands';
import './subscription.commands';
import './webhook.commands';
import './pool.commands';
import './pool-capacity.commands';
import './stake-plan.command';
import './stake.commands';
import './stake-operation.commands';
import './deposit.commands';
import './deposit-credit.commands';
import './deposit-sweep.commands';
import './delegation.commands';
import './reclaim.commands';
import './switch.commands';
import './restore.commands';
import './witness.commands';
import './receipt.commands';
import './chain.commands';
import './notify.command';
import './finding.commands';
import './reconcile.command';
import './audit.command';
import './doctor.command';

export { COMMANDS };

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
    ReportingModule,
    WebhooksModule,
    StakeCareModule,
    DepositsModule,
    SweepsModule,
    WeakSettingsModule,
    AdminModule,
  ],
  providers: COMMANDS,
})
export class CliModule {
  static with(infrastructure: Infrastructure): DynamicModule {
    return { module: CliModule, imports: [InfrastructureModule.with(infrastructure, false)] };
  }
}
