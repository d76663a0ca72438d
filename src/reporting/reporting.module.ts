import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { AccountStatement } from './books/account-statement';
import { LedgerExport } from './books/ledger-export';
import { TrialBalance } from './books/trial-balance';
import { BurnedBandwidthRepository } from './burned-bandwidth/burned-bandwidth.repository';
import { BurnedBandwidthSchedule } from './burned-bandwidth/burned-bandwidth.schedule';
import { BurnedWeeks } from './burned-bandwidth/burned-week';
import { ReadBurnedFees } from './burned-bandwidth/read-burned-fees';
import { DemandRepository } from './earnings/demand.repository';
import { PriceChangeRepository } from './earnings/price-change.repository';
import { WalletEarningsRepository } from './earnings/wallet-earnings.repository';
import { GlanceRepository } from './glance/glance.repository';
import { EnergyOutlook } from './outlooks/energy-outlook';
import { OrderOutlook } from './outlooks/order-outlook';
import { ReceiverOutlook } from './outlooks/receiver-outlook';
import { NamedOrdersRepository } from './overviews/named-orders.repository';
import { OrderFigures } from './books/order-figures';
import { OrderOverviewRepository } from './overviews/order-overview.repository';
import { RefusalsSchedule } from './refusals/refusals.schedule';
import { RefusedAttemptMiddleware } from './refusals/refused-attempt.middleware';
import { RefusedAttemptRepository } from './refusals/refused-attempt.repository';
import { RefusedAttempts } from './refusals/refused-attempts';
import { CloseOrderDays } from './reports/close-order-days';
import { CustomerListRepository } from './reports/customer-list.repository';
import { OrderReport } from './reports/order-report';
import { ReportsSchedule } from './reports/reports.schedule';
import { IncidentRepository } from './service-record/incident.repository';
import { OutageRepository } from './service-record/outage.repository';
import { OutagesSchedule } from './service-record/outages.schedule';
import { ServiceRecordRepository } from './service-record/service-record.repository';
import { StakePlan } from './stake-plan/stake-plan';
import { WalletRevenue } from './wallet-revenue/wallet-revenue';

/** What orders add up to, what became of requests that are no orders, and what an order would meet now. Changes no order. */
@Module({
  imports: [BillingModule, ChainModule, DelegationModule],
  providers: [
    OrderFigures,
    OrderOverviewRepository,
    NamedOrdersRepository,
    OrderOutlook,
    EnergyOutlook,
    ReceiverOutlook,
    RefusedAttempts,
    RefusedAttemptRepository,
    RefusalsSchedule,
    OrderReport,
    CloseOrderDays,
    CustomerListRepository,
    ReportsSchedule,
    BurnedBandwidthRepository,
    ReadBurnedFees,
    BurnedBandwidthSchedule,
    BurnedWeeks,
    StakePlan,
    WalletRevenue,
    LedgerExport,
    TrialBalance,
    AccountStatement,
    ServiceRecordRepository,
    IncidentRepository,
    OutageRepository,
    OutagesSchedule,
    GlanceRepository,
    WalletEarningsRepository,
    DemandRepository,
    PriceChangeRepository,
  ],
  exports: [
    OrderFigures,
    OrderOverviewRepository,
    NamedOrdersRepository,
    OrderOutlook,
    EnergyOutlook,
    ReceiverOutlook,
    RefusedAttemptRepository,
    OrderReport,
    CustomerListRepository,
    BurnedBandwidthRepository,
    BurnedWeeks,
    StakePlan,
    WalletRevenue,
    LedgerExport,
    TrialBalance,
    AccountStatement,
    ServiceRecordRepository,
    IncidentRepository,
    GlanceRepository,
    WalletEarningsRepository,
    DemandRepository,
    PriceChangeRepository,
  ],
})
export class ReportingModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const route = { path: 'api/chain/delegate-resource', method: RequestMethod.POST };
    consumer.apply(RefusedAttemptMiddleware).forRoutes(route);
  }
}
