import { MikroORM } from '@mikro-orm/postgresql';
import { load, withScratchDatabase } from './scratch-database.mjs';

/** The statements that lead from what the migrations make to what the entities describe. */
export function findDrift() {
  return withScratchDatabase(async (url) => {
    const orm = await MikroORM.init(
      load('src/database/mikro-orm.config').ormOptions(url, { entities: load('src/entities').ENTITIES }),
    );
    try {
      return await load('src/database/schema-drift').findSchemaDrift(orm);
    } finally {
      await orm.close();
    }
  });
}
