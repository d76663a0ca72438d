import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { LoggerModule } from 'nestjs-pino';
import { AuthModule } from './auth/auth.module';
import { BalanceModule } from './balance/balance.module';
import { BillingModule } from './billing/billing.module';
import { type Infrastructure, InfrastructureModule } from './bootstrap/infrastructure.module';
import { loggingOptions } from './bootstrap/logging';
import { ChainModule } from './chain/chain.module';
import { CommonModule } from './common/common.module';
import { DelegationModule } from './delegation/delegation.module';
import { ReportingModule } from './reporting/reporting.module';
import { HealthModule } from './health/health.module';
import { NoticesModule } from './notices/notices.module';
import { OpenApiModule } from './openapi/openapi.module';
import { PanelModule } from './panel/panel.module';
import { QuoteModule } from './quote/quote.module';
import { ReconciliationModule } from './reconciliation/reconciliation.module';
import { TermsModule } from './reconciliation/terms/terms.module';
import { SiteModule } from './site/site.module';
import { StatusModule } from './site/status/status.module';
import { SeedModule } from './seed/seed.module';
import { DepositsModule } from './deposits/deposits.module';
import { SweepsModule } from './deposits/sweeps/sweeps.module';
import { StakeCareModule } from './stake-care/stake-care.module';
import { TelemetryModule } from './telemetry/telemetry.module';

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
    StakeCareModule,
    DepositsModule,
    SweepsModule,
    ReportingModule,
    QuoteModule,
    ReconciliationModule,
    TermsModule,
    NoticesModule,
    SeedModule,
    HealthModule,
    OpenApiModule,
    PanelModule,
    // After the API's document, whose paths lie below the same one.
    SiteModule,
  ],
})
export class AppModule {
  static with(infrastructure: Infrastructure, backgroundWork = true): DynamicModule {
    return {
      module: AppModule,
      imports: [
        InfrastructureModule.with(infrastructure, backgroundWork),
        LoggerModule.forRoot(loggingOptions(infrastructure.configuration)),
        // Switched off, its paths are like any that do not exist, whatever the method.
        ...(infrastructure.configuration.customers.statusPage ? [StatusModule] : []),
      ],
    };
  }
}
