import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { ActivateReceiver } from './placing/activate-receiver';
import { AnswerDelegation } from './placing/answer-order';
import { Audit } from '../reconciliation/check-everything';
import { AuditChain } from '../reconciliation/chain/chain-comparison';
import { PairFindings } from '../reconciliation/chain/delegated-resource-findings';
import { CheckReceiver } from './placing/check-receiver';
import { DelegationController } from './delegation.controller';
import { DelegationLookup } from './lookup/order-lookup';
import { DelegationSchedule } from './delegation.schedule';
import { LentPairState } from './reclaim/delegated-stake.verifier';
import { FreeActivations } from './placing/free-activations';
import { Leases } from './leases';
import { NewOrders } from './placing/new-orders';
import { Outages } from './database-retry';
import { PlaceDelegation } from './placing/place-order';
import { ActivationAlarms } from '../reconciliation/alarms/activation.alarms';
import { ChangedRows } from '../reconciliation/changed-rows';
import { FindingStore } from '../findings/finding.store';
import { MendFindings } from '../reconciliation/repair.service';
import { PauseWallets } from '../reconciliation/wallet-quarantine.service';
import { PoolAlarms } from '../reconciliation/alarms/pool.alarms';
import { Reconciler } from '../reconciliation/reconciler';
import { ReconcilerSchedule } from '../reconciliation/reconciler.schedule';
import { WholeCheckStore } from '../reconciliation/whole-check/whole-check.store';
import { UnexplainedStakes } from '../reconciliation/unexplained-stakes/unexplained-stakes';
import { ReclaimDelegation } from './reclaim/reclaim-order';
import { ReclaimSweeper } from './reclaim/reclaim.sweeper';
import { RecoverOrders } from './placing/abandoned-orders';
import { RepeatOrder } from './placing/idempotent-replay';
import { SendDelegation } from './placing/send-delegation';
import { SettleDelegation } from './settlement/settle-order';
import { OrderRows } from './placing/order-attempt';
import { OrderWriter } from './placing/order-writer';
import { WalletRefusals } from './wallet-refusals';
import { WriteOrder } from './placing/create-order';

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
