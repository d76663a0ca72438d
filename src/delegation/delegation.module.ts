import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { AuthModule } from '../auth/auth.module';
import { BalanceModule } from '../balance/balance.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { FindingsModule } from '../findings/findings.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { DatabaseRetry } from './database-retry';
import { DelegationController } from './delegation.controller';
import { DelegationSchedule } from './delegation.schedule';
import { Leases } from './leases';
import { OrderLookup } from './lookup/order-lookup';
import { ReceiptLookup } from './lookup/receipt-lookup';
import { ReceiptShares } from './lookup/receipt-shares';
import { ReceiptViewRepository } from './lookup/receipt-view.repository';
import { OrderHistories } from './order-histories';
import { OrderEvents } from './order-events';
import { OrderWrites } from './order-writes';
import { OrderRepository } from './order.repository';
import { AbandonedOrders } from './placing/abandoned-orders';
import { ActivateReceiver } from './placing/activate-receiver';
import { AnswerOrder } from './placing/answer-order';
import { AwaitActivation } from './placing/await-activation';
import { CheckReceiver } from './placing/check-receiver';
import { CreateOrder } from './placing/create-order';
import { FreeActivationRepository } from './placing/free-activation.repository';
import { FreeActivations } from './placing/free-activations';
import { IdempotentReplay } from './placing/idempotent-replay';
import { OrderAttempt } from './placing/order-attempt';
import { OrderTransactionRepository } from './placing/order-transaction.repository';
import { OrderWriter } from './placing/order-writer';
import { PlaceOrder } from './placing/place-order';
import { PlanOrder } from './placing/plan-order';
import { SendDelegation } from './placing/send-delegation';
import { WriteWithActivation } from './placing/write-with-activation';
import { CloseShort } from './reclaim/close-short';
import { DelegatedStakeVerifier } from './reclaim/delegated-stake.verifier';
import { ReclaimOrder } from './reclaim/reclaim-order';
import { ReclaimRepository } from './reclaim/reclaim.repository';
import { ReclaimSweeper } from './reclaim/reclaim.sweeper';
import { ShortageProof } from './reclaim/shortage-proof';
import { SignReclaim } from './reclaim/sign-reclaim';
import { LentReadings } from './settlement/lent-readings';
import { SettleOrder } from './settlement/settle-order';
import { WaiveActivation } from './placing/waive-activation';

@Module({
  imports: [AuditLogModule, AuthModule, BalanceModule, BillingModule, ChainModule, FindingsModule, WebhooksModule],
  controllers: [DelegationController],
  providers: [
    OrderRepository,
    OrderHistories,
    OrderEvents,
    OrderTransactionRepository,
    FreeActivationRepository,
    ReclaimRepository,
    Leases,
    OrderWrites,
    DatabaseRetry,
    PlaceOrder,
    IdempotentReplay,
    CheckReceiver,
    PlanOrder,
    CreateOrder,
    OrderAttempt,
    WriteWithActivation,
    FreeActivations,
    OrderWriter,
    AwaitActivation,
    ActivateReceiver,
    WaiveActivation,
    SendDelegation,
    AnswerOrder,
    AbandonedOrders,
    LentReadings,
    SettleOrder,
    ShortageProof,
    DelegatedStakeVerifier,
    SignReclaim,
    CloseShort,
    ReclaimOrder,
    ReclaimSweeper,
    DelegationSchedule,
    OrderLookup,
    ReceiptViewRepository,
    ReceiptLookup,
    ReceiptShares,
  ],
  exports: [
    OrderWrites,
    OrderRepository,
    PlaceOrder,
    ReclaimSweeper,
    OrderLookup,
    OrderHistories,
    ReceiptLookup,
    ReceiptShares,
    OrderTransactionRepository,
    FreeActivations,
  ],
})
export class DelegationModule {}
