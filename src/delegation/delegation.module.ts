import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { ActivateReceiver } from './activate-receiver';
import { AnswerDelegation } from './answer-delegation';
import { Audit } from './audit/audit';
import { AuditChain } from './audit/chain.audit';
import { PairFindings } from './audit/pair-findings';
import { CheckReceiver } from './check-receiver';
import { DelegationController } from './delegation.controller';
import { DelegationLookup } from './delegation.lookup';
import { DelegationSchedule } from './delegation.schedule';
import { LentPairState } from './lent-pair.state';
import { FreeActivations } from './free-activations';
import { Leases } from './leases';
import { NewOrders } from './new-orders';
import { Outages } from './outages';
import { PlaceDelegation } from './place-delegation';
import { ActivationAlarms } from './reconciler/activation.alarms';
import { ChangedRows } from './reconciler/changed-rows';
import { FindingStore } from './reconciler/finding.store';
import { MendFindings } from './reconciler/mend-findings';
import { PauseWallets } from './reconciler/pause-wallets';
import { PoolAlarms } from './reconciler/pool.alarms';
import { Reconciler } from './reconciler/reconciler';
import { ReconcilerSchedule } from './reconciler/reconciler.schedule';
import { WholeCheckStore } from './reconciler/whole-check.store';
import { UnexplainedStakes } from './reconciler/unexplained-stakes';
import { ReclaimDelegation } from './reclaim-delegation';
import { ReclaimSweeper } from './reclaim.sweeper';
import { RecoverOrders } from './recover-orders';
import { RepeatOrder } from './repeat-order';
import { SendDelegation } from './send-delegation';
import { SettleDelegation } from './settle-delegation';
import { OrderRows } from './order-rows';
import { OrderWriter } from './order-writer';
import { WalletRefusals } from './wallet-refusals';
import { WriteOrder } from './write-order';

@Module({
  imports: [AuthModule, BillingModule, ChainModule],
  controllers: [DelegationController],
  providers: [
    Leases,
    Outages,
    WalletRefusals,
    LentPairState,
    NewOrders,
    CheckReceiver,
    WriteOrder,
    FreeActivations,
    OrderRows,
    OrderWriter,
    ActivateReceiver,
    SendDelegation,
    AnswerDelegation,
    RepeatOrder,
    PlaceDelegation,
    SettleDelegation,
    ReclaimDelegation,
    ReclaimSweeper,
    RecoverOrders,
    DelegationSchedule,
    DelegationLookup,
    AuditChain,
    PairFindings,
    MendFindings,
    ChangedRows,
    FindingStore,
    PauseWallets,
    UnexplainedStakes,
    PoolAlarms,
    ActivationAlarms,
    Reconciler,
    ReconcilerSchedule,
    WholeCheckStore,
    Audit,
  ],
  exports: [ReclaimSweeper, DelegationLookup, NewOrders, Audit, Reconciler, FindingStore, WholeCheckStore],
})
export class DelegationModule {}
