import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { LoggerModule } from 'nestjs-pino';
import { AuthModule } from './auth/auth.module';
import { BalanceModule } from './balance/balance.module';
import { BillingModule } from './billing/billing.module';
import { ChainModule } from './chain/chain.module';
import { CommonModule } from './common/common.module';
import { DelegationModule } from './delegation/delegation.module';
import { DemoModule } from './seed/seed.module';
import { HealthModule } from './health/health.module';
import { loggingOptions } from './bootstrap/logging';
import { PanelModule } from './panel/panel.module';
import { TelemetryModule } from './telemetry/telemetry.module';
import { type Surroundings, SurroundingsModule } from './bootstrap/infrastructure.module';

/** The service. The tests run this module too. */
@Module({
  imports: [
    // First: it sees the whole of each request.
    TelemetryModule,
    ScheduleModule.forRoot(),
    CommonModule,
    AuthModule,
    BalanceModule,
    BillingModule,
    ChainModule,
    DelegationModule,
    DemoModule,
    HealthModule,
    PanelModule,
  ],
})
export class AppModule {
  static with(surroundings: Surroundings, backgroundWork = true): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SurroundingsModule.with(surroundings, backgroundWork),
        LoggerModule.forRoot(loggingOptions(surroundings.configuration)),
      ],
    };
  }
}
