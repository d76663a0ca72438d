import { defineEntity, p } from '@mikro-orm/core';

/** One row: where this database was when the service last went by it. A restored or copied database remembers where it came from. */
export const DatabaseIdentityRow = defineEntity({
  name: 'DatabaseIdentityRow',
  tableName: 'database_identity',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** Number of the PostgreSQL server: made by `initdb` and kept by every file-level copy and standby. */
    systemIdentifier: p.bigint('bigint'),
    databaseOid: p.bigint('bigint'),
    /** For the embedded server alone. */
    dataDirectory: p.text().nullable(),
    /** Number of this table: `pg_restore --clean` makes another one. */
    tableOid: p.bigint('bigint').nullable(),
    /** Each promotion and each point-in-time recovery begins another one. Null: rows may be missing. */
    timeline: p.text().nullable(),
    /** After a pause, which alone raised the doubt: the timeline of before. */
    pausedTimeline: p.text().nullable(),
    /** Orders that were lent up to this block are compared with the chain before their stake is taken back. */
    comparedBlock: p.bigint('bigint').nullable(),
    /** Block time: what could have been signed by rows that are missing has landed or expired by then. */
    comparedFrom: p.datetime(6).nullable(),
    /** Accounts (`DEPOSIT_XPUB`) of which deposit addresses that missing rows may have given were left out since that comparison began. */
    leftOutAccounts: p.array().defaultRaw(`'{}'`),
  },
  checks: [{ name: 'database_identity_single_row', expression: 'id = 1' }],
});
