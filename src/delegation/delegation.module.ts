import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { FindingsModule } from '../findings/findings.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AccountLanes } from './account-lanes';
import { DatabaseRetry } from './database-retry';
import { DelegationController } from './delegation.controller';
import { DelegationSchedule } from './delegation.schedule';
import { Leases } from './leases';
import { EnergyOutlook } from '../reporting/outlooks/energy-outlook';
import { OrderLookup } from './lookup/order-lookup';
import { OrderOutlook } from '../reporting/outlooks/order-outlook';
import { OrderOverviewRepository } from './lookup/order-overview.repository';
import { NamedOrdersRepository } from './lookup/named-orders.repository';
import { OrderViewRepository } from './lookup/order-view.repository';
import { ReceiptLookup } from './lookup/receipt-lookup';
import { ReceiptViewRepository } from './lookup/receipt-view.repository';
import { ReceiverOutlook } from '../reporting/outlooks/receiver-outlook';
import { OrderEventRepository } from './order-event.repository';
import { OrderEvents } from './order-events';
import { OrderWrites } from './order-writes';
import { OrderRepository } from './order.repository';
import { AbandonedOrders } from './placing/abandoned-orders';
import { ActivateReceiver } from './placing/activate-receiver';
import { AnswerOrder } from './placing/answer-order';
import { AwaitActivation } from './placing/await-activation';
import { BroadcastDelegation } from './placing/broadcast-delegation';
import { CheckReceiver } from './placing/check-receiver';
import { CreateOrder } from './placing/create-order';
import { FreeActivationRepository } from './placing/free-activation.repository';
import { FreeActivations } from './placing/free-activations';
import { IdempotentReplay } from './placing/idempotent-replay';
import { InclusionWatch } from './placing/inclusion-watch';
import { OrderAttempt } from './placing/order-attempt';
import { OrderTransactionRepository } from './placing/order-transaction.repository';
import { OrderWriter } from './placing/order-writer';
import { PlaceOrder } from './placing/place-order';
import { PlanOrder } from './placing/plan-order';
import { RecordSent } from './placing/record-sent';
import { SendDelegation } from './placing/send-delegation';
import { SignDelegation } from './placing/sign-delegation';
import { WriteWithActivation } from './placing/write-with-activation';
import { BeginComparing } from './reclaim/begin-comparing';
import { CloseShort } from './reclaim/close-short';
import { DelegatedStakeVerifier } from './reclaim/delegated-stake.verifier';
import { ReclaimOrder } from './reclaim/reclaim-order';
import { ReclaimRepository } from './reclaim/reclaim.repository';
import { ReclaimSweeper } from './reclaim/reclaim.sweeper';
import { ShortageProof } from './reclaim/shortage-proof';
import { SignReclaim } from './reclaim/sign-reclaim';
import { RefusalsSchedule } from '../reporting/refusals/refusals.schedule';
import { RefusedAttemptMiddleware } from '../reporting/refusals/refused-attempt.middleware';
import { RefusedAttemptRepository } from '../reporting/refusals/refused-attempt.repository';
import { RefusedAttempts } from '../reporting/refusals/refused-attempts';
import { CloseOrderDays } from '../reporting/reports/close-order-days';
import { CustomerListRepository } from '../reporting/reports/customer-list.repository';
import { OrderDayRepository } from '../reporting/reports/order-day.repository';
import { OrderReport } from '../reporting/reports/order-report';
import { ReportsSchedule } from '../reporting/reports/reports.schedule';
import { SettleOrder } from './settlement/settle-order';
import { WaiveActivation } from './placing/waive-activation';
import { WalletRefusals } from './wallet-refusals';

@Module({
  imports: [AuthModule, BillingModule, ChainModule, FindingsModule, WebhooksModule],
  controllers: [DelegationController],
  providers: [
    OrderRepository,
    OrderEventRepository,
    OrderEvents,
    OrderViewRepository,
    NamedOrdersRepository,
    OrderTransactionRepository,
    FreeActivationRepository,
    ReclaimRepository,
    Leases,
    AccountLanes,
    OrderWrites,
    DatabaseRetry,
    WalletRefusals,
    OrderOutlook,
    EnergyOutlook,
    ReceiverOutlook,
    PlaceOrder,
    IdempotentReplay,
    CheckReceiver,
    PlanOrder,
    CreateOrder,
    OrderAttempt,
    SignDelegation,
    WriteWithActivation,
    FreeActivations,
    OrderWriter,
    InclusionWatch,
    AwaitActivation,
    ActivateReceiver,
    WaiveActivation,
    BroadcastDelegation,
    RecordSent,
    SendDelegation,
    AnswerOrder,
    AbandonedOrders,
    SettleOrder,
    ShortageProof,
    DelegatedStakeVerifier,
    SignReclaim,
    BeginComparing,
    CloseShort,
    ReclaimOrder,
    ReclaimSweeper,
    DelegationSchedule,
    OrderLookup,
    ReceiptViewRepository,
    ReceiptLookup,
    OrderOverviewRepository,
    RefusedAttempts,
    RefusedAttemptRepository,
    RefusalsSchedule,
    OrderDayRepository,
    OrderReport,
    CloseOrderDays,
    CustomerListRepository,
    ReportsSchedule,
  ],
  exports: [
    NamedOrdersRepository,
    OrderWrites,
    ReclaimSweeper,
    OrderLookup,
    ReceiptLookup,
    OrderOverviewRepository,
    OrderOutlook,
    EnergyOutlook,
    ReceiverOutlook,
    FreeActivations,
    RefusedAttemptRepository,
    OrderReport,
    CustomerListRepository,
  ],
})
export class DelegationModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const route = { path: 'api/chain/delegate-resource', method: RequestMethod.POST };
    consumer.apply(RefusedAttemptMiddleware).forRoutes(route);
  }
}
