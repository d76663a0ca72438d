import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { type Queryable, Sql } from '../sql';
import { statement } from '../statement';
import { IS_CONTINUOUS, IS_THIS_DATABASE, TIMELINE } from './database-identity.sql';

/** Which of the things that a database remembers of its place is another one; of several the first. */
export type PlaceDifference = 'server' | 'database' | 'directory';

const PLACE = `(select system_identifier from pg_control_system()),
  (select oid::bigint from pg_database where datname = current_database()),
  case when $1 then current_setting('data_directory') end`;

/** The row's own table is found by its name: `pg_restore --clean` keeps the name. */
const CLAIM = statement<[isEmbedded: boolean]>(
  'database_identity_claim',
  `insert into database_identity (id, system_identifier, database_oid, data_directory, table_oid, timeline)
   select 1, ${PLACE}, 'database_identity'::regclass::oid::bigint, ${TIMELINE} on conflict (id) do nothing`,
);
const DIFFERENCE = statement<[], { differs: PlaceDifference }>(
  'database_identity_difference',
  `select case when i.system_identifier <> (select system_identifier from pg_control_system()) then 'server'
               when i.database_oid <> (select oid::bigint from pg_database where datname = current_database()) then 'database'
               else 'directory' end as differs
     from database_identity i where not ${IS_THIS_DATABASE('i')}`,
);
const CONFIRM = statement<[isEmbedded: boolean], { server: string; oid: string }>(
  'database_identity_confirm',
  `update database_identity i
      set (system_identifier, database_oid, data_directory) = (select ${PLACE}), timeline = null
    where not ${IS_THIS_DATABASE('i')}
   returning system_identifier::text as server, database_oid::text as oid`,
);
const PLACE_BEFORE = statement<[], { server: string; oid: string }>(
  'database_identity_before',
  `select system_identifier::text as server, database_oid::text as oid from database_identity for update`,
);
/** Not again for a loss before a comparison that began above what was lost. */
const DOUBT = statement<[hadNumber: number | null]>(
  'database_identity_doubt',
  `update database_identity set timeline = null where coalesce(compared_block < $1::bigint, true)`,
);
const NEEDS_COMPARING = statement<[], { needed: boolean }>(
  'database_identity_needs_comparing',
  `select exists (select from database_identity i where ${IS_THIS_DATABASE('i')} and not ${IS_CONTINUOUS('i')}) as needed`,
);
const BEGIN_COMPARING = statement<[block: number, fromMs: number]>(
  'database_identity_begin_comparing',
  `update database_identity i
      set timeline = ${TIMELINE}, table_oid = i.tableoid::bigint, compared_block = $1, compared_from = to_timestamp($2 / 1000.0)
    where ${IS_THIS_DATABASE('i')} and not ${IS_CONTINUOUS('i')}`,
);

/** A server and a database on it, as PostgreSQL numbers them. */
export interface DatabasePlace {
  readonly server: string;
  readonly oid: string;
}

/** Whether this is the database that the service has gone by so far, and whether rows of it may be missing. */
@Injectable()
export class DatabaseIdentity implements OnModuleInit {
  constructor(
    private readonly sql: Sql,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** A database without an identity (a new one, or one of an older version) takes its place as it is. */
  async onModuleInit(): Promise<void> {
    await this.sql.execute(CLAIM, [this.isEmbedded]);
  }

  /** In what this restored or copied database differs from what it remembers: nothing is signed until an operator confirms it. Else null. */
  async findDifference(): Promise<PlaceDifference | null> {
    return (await this.sql.row(DIFFERENCE))?.differs ?? null;
  }

  /** It is the one to go on with. Null when it was so before. */
  async confirm(db: Queryable): Promise<{ before: DatabasePlace; after: DatabasePlace } | null> {
    const before = await db.row(PLACE_BEFORE);
    const after = await db.row(CONFIRM, [this.isEmbedded]);
    return before && after && { before, after };
  }

  /** Rows may be missing: until an instance begins to compare, no stake is taken back. `hadNumber`: a final block that it had and has no more. */
  async doubt(hadNumber: number | null): Promise<void> {
    await this.sql.execute(DOUBT, [hadNumber]);
  }

  async needsComparing(): Promise<boolean> {
    return (await this.sql.row(NEEDS_COMPARING))!.needed;
  }

  /** Of orders that were lent up to this block, by solid blocks from that time on. False when another instance has begun. */
  async beginComparing(block: number, fromMs: number): Promise<boolean> {
    return (await this.sql.execute(BEGIN_COMPARING, [block, fromMs])) > 0;
  }

  private get isEmbedded(): boolean {
    return this.configuration.database.url === undefined;
  }
}
