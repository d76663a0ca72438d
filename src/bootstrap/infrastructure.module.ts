import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Configuration } from '../../config/configuration';
import { ConfigurationModule } from '../../config/configuration.module';
import { BACKGROUND_WORK } from '../common/background-work';
import { Clock } from '../common/clock';
import { CrashPoints } from '../common/crash-points';
import { Ending } from '../common/shutdown';
import { NODE_ENDPOINTS, type NodeEndpoints } from '../chain/node/node-endpoints';
import { DatabaseModule } from '../database/database.module';

/** What an application stands on: found or started before it, closed after it (open-surroundings.ts). */
export interface Surroundings {
  readonly configuration: Configuration;
  /** Of a migrated database. */
  readonly databaseUrl: string;
  readonly nodes: NodeEndpoints;
}

@Global()
@Module({})
export class SurroundingsModule {
  static with(surroundings: Surroundings, backgroundWork: boolean): DynamicModule {
    return {
      module: SurroundingsModule,
      imports: [ConfigurationModule.with(surroundings.configuration), DatabaseModule.at(surroundings.databaseUrl)],
      providers: [
        Clock,
        CrashPoints,
        Ending,
        { provide: NODE_ENDPOINTS, useValue: surroundings.nodes },
        { provide: BACKGROUND_WORK, useValue: backgroundWork },
      ],
      exports: [Clock, CrashPoints, Ending, NODE_ENDPOINTS, BACKGROUND_WORK],
    };
  }
}
