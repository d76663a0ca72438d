import { Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BillingService } from './billing.service';
import { PaidOrders } from './paid-orders';
import { HoldListRepository } from './hold-list.repository';
import { PaymentOutlook } from './payment-outlook';
import { choosePricing } from './pricing/choose-pricing';
import { PRICING } from './pricing/pricing.strategy';
import { SubscriptionListRepository } from './subscription-list.repository';
import { SubscriptionService } from './subscription.service';

/** What an order costs and who pays it: quota before balance. */
@Module({
  providers: [
    PaidOrders,
    {
      provide: PRICING,
      inject: [CONFIGURATION],
      useFactory: (configuration: Configuration) => choosePricing(configuration.billing),
    },
    BillingService,
    PaymentOutlook,
    SubscriptionService,
    HoldListRepository,
    SubscriptionListRepository,
  ],
  exports: [
    PaidOrders,
    PRICING,
    BillingService,
    PaymentOutlook,
    SubscriptionService,
    HoldListRepository,
    SubscriptionListRepository,
  ],
})
export class BillingModule {}
