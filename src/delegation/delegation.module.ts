import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { FindingsModule } from '../findings/findings.module';
import { DatabaseRetry } from './database-retry';
import { DelegationController } from './delegation.controller';
import { DelegationSchedule } from './delegation.schedule';
import { Leases } from './leases';
import { OrderLookup } from './lookup/order-lookup';
import { AbandonedOrders } from './placing/abandoned-orders';
import { ActivateReceiver } from './placing/activate-receiver';
import { AnswerOrder } from './placing/answer-order';
import { CheckReceiver } from './placing/check-receiver';
import { CreateOrder } from './placing/create-order';
import { FreeActivations } from './placing/free-activations';
import { IdempotentReplay } from './placing/idempotent-replay';
import { NewOrders } from './placing/new-orders';
import { OrderAttempt } from './placing/order-attempt';
import { OrderWriter } from './placing/order-writer';
import { PlaceOrder } from './placing/place-order';
import { SendDelegation } from './placing/send-delegation';
import { DelegatedStakeVerifier } from './reclaim/delegated-stake.verifier';
import { ReclaimOrder } from './reclaim/reclaim-order';
import { ReclaimSweeper } from './reclaim/reclaim.sweeper';
import { SettleOrder } from './settlement/settle-order';
import { WalletRefusals } from './wallet-refusals';

@Module({
  imports: [AuthModule, BillingModule, ChainModule, FindingsModule],
  controllers: [DelegationController],
  providers: [
    Leases,
    DatabaseRetry,
    WalletRefusals,
    DelegatedStakeVerifier,
    NewOrders,
    CheckReceiver,
    CreateOrder,
    FreeActivations,
    OrderAttempt,
    OrderWriter,
    ActivateReceiver,
    SendDelegation,
    AnswerOrder,
    IdempotentReplay,
    PlaceOrder,
    SettleOrder,
    ReclaimOrder,
    ReclaimSweeper,
    AbandonedOrders,
    DelegationSchedule,
    OrderLookup,
  ],
  exports: [ReclaimSweeper, OrderLookup, NewOrders, FreeActivations],
})
export class DelegationModule {}
