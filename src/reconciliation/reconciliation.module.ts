import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { FindingsModule } from '../findings/findings.module';
import { ReportingModule } from '../reporting/reporting.module';
import { DepositsModule } from '../deposits/deposits.module';
import { StakeCareModule } from '../stake-care/stake-care.module';
import { ActivationAlarms } from './alarms/activation.alarms';
import { Alarms } from './alarms/alarms';
import { BurnedAlarms } from './alarms/burned.alarms';
import { ChainAlarmsSchedule } from './alarms/chain-alarms.schedule';
import { ChainAlarms } from './alarms/chain.alarms';
import { PoolAlarms } from './alarms/pool.alarms';
import { SignerAlarms } from './alarms/signer.alarms';
import { DepositAlarms } from './alarms/deposit.alarms';
import { StakeAlarms } from './alarms/stake.alarms';
import { ChainComparison } from './chain/chain-comparison';
import { DelegatedResourceFindings } from './chain/delegated-resource-findings';
import { ChangedRows } from './changed-rows';
import { CheckEverything } from './check-everything';
import { JobRunRepository } from './job-run.repository';
import { ReconcileMarkRepository } from './reconcile-mark.repository';
import { Reconciler } from './reconciler';
import { ReconcilerSchedule } from './reconciler.schedule';
import { RepairService } from './repair.service';
import { InstanceTermsRepository } from './terms/instance-terms.repository';
import { TermsAlarms } from './terms/terms.alarms';
import { UnexplainedStakeRepository } from './unexplained-stakes/unexplained-stake.repository';
import { UseQuarantine } from './uses/use-quarantine.service';
import { WalletUses } from './uses/wallet-uses';
import { WalletQuarantineService } from './wallet-quarantine.service';
import { WholeCheckRepository } from './whole-check/whole-check.repository';

/** Do money, orders and chain agree? Checks, and what follows from their findings. */
@Module({
  imports: [
    AuditLogModule,
    BillingModule,
    ChainModule,
    DelegationModule,
    FindingsModule,
    ReportingModule,
    StakeCareModule,
    DepositsModule,
  ],
  providers: [
    CheckEverything,
    ChainComparison,
    DelegatedResourceFindings,
    ChangedRows,
    PoolAlarms,
    ChainAlarms,
    ChainAlarmsSchedule,
    ActivationAlarms,
    BurnedAlarms,
    StakeAlarms,
    SignerAlarms,
    DepositAlarms,
    InstanceTermsRepository,
    TermsAlarms,
    Alarms,
    UnexplainedStakeRepository,
    ReconcileMarkRepository,
    RepairService,
    WalletUses,
    UseQuarantine,
    WalletQuarantineService,
    Reconciler,
    JobRunRepository,
    ReconcilerSchedule,
    WholeCheckRepository,
  ],
  exports: [
    InstanceTermsRepository,
    TermsAlarms,
    CheckEverything,
    Reconciler,
    UseQuarantine,
    WholeCheckRepository,
    ReconcileMarkRepository,
  ],
})
export class ReconciliationModule {}
