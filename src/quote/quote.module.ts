import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { ReportingModule } from '../reporting/reporting.module';
import { RateLimitModule } from '../rate-limit/rate-limit.module';
import { MakeQuote } from './make-quote';
import { QuoteController } from './quote.controller';
import { SizeTransfer } from './size-transfer';

/** What an order would be and cost, before it is placed. */
@Module({
  imports: [AuthModule, RateLimitModule, BillingModule, ChainModule, DelegationModule, ReportingModule],
  controllers: [QuoteController],
  providers: [SizeTransfer, MakeQuote],
  exports: [MakeQuote],
})
export class QuoteModule {}
