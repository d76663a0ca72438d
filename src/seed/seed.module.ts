import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BalanceModule } from '../balance/balance.module';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { DemoSeeder } from './demo-seeder';
import { DemoToken } from './demo-token';

/** Does nothing by itself: `main.ts` asks for it on the local chain, and never in production. */
@Module({
  imports: [AuthModule, BalanceModule, BillingModule, ChainModule],
  providers: [DemoSeeder, DemoToken],
})
export class SeedModule {}
