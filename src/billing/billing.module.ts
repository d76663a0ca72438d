import { Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BillingService } from './billing.service';
import { choosePricing } from './pricing/choose-pricing';
import { PRICING } from './pricing/pricing.strategy';
import { SubscriptionService } from './subscription.service';

/** What an order costs and who pays it: quota before balance. */
@Module({
  providers: [
    {
      provide: PRICING,
      inject: [CONFIGURATION],
      useFactory: (configuration: Configuration) => choosePricing(configuration.billing),
    },
    BillingService,
    SubscriptionService,
  ],
  exports: [PRICING, BillingService, SubscriptionService],
})
export class BillingModule {}
