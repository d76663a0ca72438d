import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { type Queryable, Sql } from '../sql';
import { statement } from '../statement';
import { IS_CONTINUOUS, IS_PAUSED_AT_MOST, IS_THIS_DATABASE, TIMELINE } from './database-identity.sql';

/** Which of the things that a database remembers of its place is another one; of several the first. */
export type PlaceDifference = 'server' | 'database' | 'directory';

const PLACE = `(select system_identifier from pg_control_system()),
  (select oid::bigint from pg_database where datname = current_database()),
  case when $1 then current_setting('data_directory') end`;

/**
 * The row's own table is found by its name: `pg_restore --clean` keeps the name. Rows without an identity may be a restore that is
 * still under way: they may lack the latest ones.
 */
export const CLAIM = statement<[isEmbedded: boolean]>(
  'database_identity_claim',
  `insert into database_identity (id, system_identifier, database_oid, data_directory, table_oid, timeline)
   select 1, ${PLACE}, 'database_identity'::regclass::oid::bigint,
          case when exists (select from delegations) or exists (select from chain_transactions) or exists (select from deposit_addresses)
               then null else ${TIMELINE} end
   on conflict (id) do nothing`,
);
const DIFFERENCE = statement<[], { differs: PlaceDifference }>(
  'database_identity_difference',
  `select case when i.system_identifier <> (select system_identifier from pg_control_system()) then 'server'
               when i.database_oid <> (select oid::bigint from pg_database where datname = current_database()) then 'database'
               else 'directory' end as differs
     from database_identity i where not ${IS_THIS_DATABASE('i')}`,
);
/**
 * Also in the same place, before an instance has looked at rows that were put back there (`pg_restore --clean`, point-in-time recovery): what
 * they bring back may have to end. Not twice.
 */
const CONFIRM = statement<[isEmbedded: boolean], { server: string; oid: string }>(
  'database_identity_confirm',
  `update database_identity i
      set (system_identifier, database_oid, data_directory) = (select ${PLACE}), table_oid = i.tableoid::bigint, timeline = null,
          paused_timeline = null
    where not ${IS_THIS_DATABASE('i')} or i.table_oid is distinct from i.tableoid::bigint or i.timeline <> ${TIMELINE}
   returning system_identifier::text as server, database_oid::text as oid`,
);
const PLACE_BEFORE = statement<[], { server: string; oid: string }>(
  'database_identity_before',
  `select system_identifier::text as server, database_oid::text as oid from database_identity for update`,
);
/** Not again for a loss before a comparison that began above what was lost. */
const DOUBT = statement<[hadNumber: number | null]>(
  'database_identity_doubt',
  `update database_identity set timeline = null, paused_timeline = null
    where coalesce(timeline, paused_timeline) is not null and coalesce(compared_block < $1::bigint, true)`,
);
/** Not again while the last one has begun so little ago that what is old was old before it. $1: of `compared_from`, which is after its begin. */
const DOUBT_OLD = statement<[agoMs: number]>(
  'database_identity_doubt_old',
  `update database_identity set timeline = null, paused_timeline = timeline
    where timeline is not null and coalesce(compared_from < clock_timestamp() - $1::float8 * interval '1 millisecond', true)`,
);
const NEEDS_COMPARING = statement<[], { needed: boolean }>(
  'database_identity_needs_comparing',
  `select exists (select from database_identity i where ${IS_THIS_DATABASE('i')} and not ${IS_CONTINUOUS('i')}) as needed`,
);
/**
 * Not by a head that is behind the database's clock: what was taken back above it would look lent. A head that is ahead is none of these. The
 * row of a later rate of USDT may be missing too, other than after a pause: blocks that were not searched for deposits yet count by none until an
 * operator sets another. `i` is the row of before.
 */
const BEGIN_COMPARING = statement<[block: number, headTimeMs: number, waitMs: number], { block: bigint }>(
  'database_identity_begin_comparing',
  `with begun as (
     update database_identity i
      set timeline = ${TIMELINE}, table_oid = i.tableoid::bigint, paused_timeline = null, compared_block = $1, left_out_accounts = '{}',
          compared_from = greatest(to_timestamp($2::float8 / 1000), clock_timestamp()) + $3::float8 * interval '1 millisecond'
    where ${IS_THIS_DATABASE('i')} and not ${IS_CONTINUOUS('i')}
      and to_timestamp($2::float8 / 1000) >= clock_timestamp() - interval '2 minutes'
    returning i.compared_block as block
   ), ended as (
     insert into deposit_rates (sun_per_usdt, since)
     select null, r.since
       from begun cross join database_identity i cross join (select since, sun_per_usdt from deposit_rates order by since desc, id desc limit 1) r
      where r.sun_per_usdt is not null and not ${IS_PAUSED_AT_MOST('i')}
   )
   select block from begun`,
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

  /** A new database, which has no identity yet, takes its place as it is. */
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

  /** As `doubt`, where what the database remembers is old, unless a comparison was begun since: `agoMs` of blocks by which it compares. */
  async doubtOld(agoMs: number): Promise<void> {
    await this.sql.execute(DOUBT_OLD, [agoMs]);
  }

  async needsComparing(): Promise<boolean> {
    return (await this.sql.row(NEEDS_COMPARING))!.needed;
  }

  /**
   * Compares orders that were lent up to this head, by solid blocks that are so much later. False when the head is more than two minutes
   * behind the database's clock, or another instance has begun.
   */
  async beginComparing(head: { readonly number: number; readonly timeMs: number }, waitMs: number): Promise<boolean> {
    return (await this.sql.row(BEGIN_COMPARING, [head.number, head.timeMs, waitMs])) !== null;
  }

  private get isEmbedded(): boolean {
    return this.configuration.database.url === undefined;
  }
}
