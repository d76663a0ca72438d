import { Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BillingService } from './billing.service';
import { HoldRepository } from './hold.repository';
import { choosePricing } from './pricing/choose-pricing';
import { PRICING } from './pricing/pricing.strategy';
import { SubscriptionRepository } from './subscription.repository';
import { SubscriptionService } from './subscription.service';

/** What an order costs and who pays it: quota before balance. */
@Module({
  providers: [
    {
      provide: PRICING,
      inject: [CONFIGURATION],
      useFactory: (configuration: Configuration) => choosePricing(configuration.billing),
    },
    HoldRepository,
    BillingService,
    SubscriptionRepository,
    SubscriptionService,
  ],
  exports: [PRICING, BillingService, SubscriptionService],
})
export class BillingModule {}
