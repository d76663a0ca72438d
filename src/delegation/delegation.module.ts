import { Module } from '@nestjs/common';
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
import { Leases } from './leases';
import { Outages } from './outages';
import { PlaceDelegation } from './place-delegation';
import { ChangedRows } from './reconciler/changed-rows';
import { FindingStore } from './reconciler/finding.store';
import { MendFindings } from './reconciler/mend-findings';
import { PauseWallets } from './reconciler/pause-wallets';
import { PoolAlarms } from './reconciler/pool.alarms';
import { Reconciler } from './reconciler/reconciler';
import { ReconcilerSchedule } from './reconciler/reconciler.schedule';
import { ReclaimDelegation } from './reclaim-delegation';
import { ReclaimSweeper } from './reclaim.sweeper';
import { RecoverOrders } from './recover-orders';
import { RepeatOrder } from './repeat-order';
import { SendDelegation } from './send-delegation';
import { SettleDelegation } from './settle-delegation';
import { OrderRows } from './order-rows';
import { OrderWriter } from './order-writer';
import { WriteOrder } from './write-order';

@Module({
  imports: [BillingModule, ChainModule],
  controllers: [DelegationController],
  providers: [
    Leases,
    Outages,
    LentPairState,
    CheckReceiver,
    WriteOrder,
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
    PoolAlarms,
    Reconciler,
    ReconcilerSchedule,
    Audit,
  ],
  exports: [ReclaimSweeper, DelegationLookup, Audit, Reconciler, FindingStore],
})
export class DelegationModule {}
