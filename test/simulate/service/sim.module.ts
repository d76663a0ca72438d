import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import type { Configuration } from '../../../config/configuration';
import { ConfigurationModule } from '../../../config/configuration.module';
import { ChainModule } from '../../../src/chain/chain.module';
import { NODE_ENDPOINTS } from '../../../src/chain/tron/node/node-endpoints';
import { BACKGROUND_WORK, BackgroundJob } from '../../../src/common/background-job';
import { Clock } from '../../../src/common/clock';
import { CrashPoints } from '../../../src/common/crash-points';
import { RequestOrigins } from '../../../src/common/http/request-origins';
import { Shutdown } from '../../../src/common/shutdown';
import { ServicePool } from '../../../src/database/service-pool';
import { DatabaseIdentity } from '../../../src/database/identity/database-identity';
import { PG_POOL, Sql } from '../../../src/database/sql';
import { DelegationModule } from '../../../src/delegation/delegation.module';
import { ReconciliationModule } from '../../../src/reconciliation/reconciliation.module';
import { WebhooksModule } from '../../../src/webhooks/webhooks.module';

const OWN = [Clock, BackgroundJob, CrashPoints, Shutdown, RequestOrigins, Sql, DatabaseIdentity];
const GIVEN = [PG_POOL, NODE_ENDPOINTS, BACKGROUND_WORK, MikroORM, EntityManager];

@Global()
@Module({})
class SimInfrastructure {
  static with(configuration: Configuration, databaseUrl: string): DynamicModule {
    const { fullNodeUrls, solidityNodeUrls } = configuration.nodes;
    const values = new Map<unknown, unknown>([
      [NODE_ENDPOINTS, { fullNodeUrls, solidityNodeUrls }],
      [BACKGROUND_WORK, true],
      // It reads and writes nothing of an order's life; to find all entities at each start would be most of its cost.
      [MikroORM, {}],
      [EntityManager, {}],
    ]);
    return {
      module: SimInfrastructure,
      imports: [ConfigurationModule.with(configuration)],
      providers: [
        ...OWN,
        { provide: PG_POOL, useFactory: () => new ServicePool(databaseUrl) },
        ...[...values].map(([provide, useValue]) => ({ provide: provide as symbol, useValue })),
      ],
      exports: [...OWN, ...(GIVEN as symbol[])],
    };
  }
}

/** The service without its pages and its HTTP server: everything that moves an order, its money, its stake and its webhooks. */
@Module({})
export class SimModule {
  static with(configuration: Configuration, databaseUrl: string): DynamicModule {
    return {
      module: SimModule,
      imports: [
        SimInfrastructure.with(configuration, databaseUrl),
        ScheduleModule.forRoot(),
        ChainModule,
        DelegationModule,
        ReconciliationModule,
        WebhooksModule,
      ],
    };
  }
}
