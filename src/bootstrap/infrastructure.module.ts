import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Configuration } from '../../config/configuration';
import { ConfigurationModule } from '../../config/configuration.module';
import { NODE_ENDPOINTS, type NodeEndpoints } from '../chain/tron/node/node-endpoints';
import { BACKGROUND_WORK, BackgroundJob } from '../common/background-job';
import { Clock } from '../common/clock';
import { RequestOrigins } from '../common/http/request-origins';
import { CrashPoints } from '../common/crash-points';
import { Shutdown } from '../common/shutdown';
import { DatabaseModule } from '../database/database.module';
import { ENTITIES } from '../entities';

/** What an application runs on: found or started before it, closed after it (start-infrastructure.ts). */
export interface Infrastructure {
  readonly configuration: Configuration;
  /** Names a migrated database. */
  readonly databaseUrl: string;
  readonly nodes: NodeEndpoints;
}

@Global()
@Module({})
export class InfrastructureModule {
  static with(infrastructure: Infrastructure, backgroundWork: boolean): DynamicModule {
    return {
      module: InfrastructureModule,
      imports: [
        ConfigurationModule.with(infrastructure.configuration),
        DatabaseModule.at(infrastructure.databaseUrl, ENTITIES),
      ],
      providers: [
        Clock,
        BackgroundJob,
        CrashPoints,
        Shutdown,
        RequestOrigins,
        { provide: NODE_ENDPOINTS, useValue: infrastructure.nodes },
        { provide: BACKGROUND_WORK, useValue: backgroundWork },
      ],
      exports: [Clock, BackgroundJob, CrashPoints, Shutdown, RequestOrigins, NODE_ENDPOINTS, BACKGROUND_WORK],
    };
  }
}
