import { MikroOrmModule } from '@mikro-orm/nestjs';
import type { EntityClass, EntitySchema } from '@mikro-orm/postgresql';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DatabaseIdentity } from './identity/database-identity';
import { ormOptions } from './mikro-orm.config';
import { ServicePool } from './service-pool';
import { PG_POOL, Sql } from './sql';

/** A migrated database: `MikroORM` and `EntityManager` (forked per request), `Sql` and its pool, and which database it is. */
@Global()
@Module({})
export class DatabaseModule {
  static at(databaseUrl: string, entities: (EntityClass | EntitySchema)[]): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [MikroOrmModule.forRoot({ ...ormOptions(databaseUrl, { entities }), registerRequestContext: false })],
      providers: [{ provide: PG_POOL, useFactory: () => new ServicePool(databaseUrl) }, Sql, DatabaseIdentity],
      exports: [PG_POOL, Sql, DatabaseIdentity],
    };
  }
}
