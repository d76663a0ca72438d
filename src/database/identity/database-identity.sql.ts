/**
 * SQL: what a row `i` of `database_identity` says of its place is still so. Asked in the statements that sign, not once for each
 * connection: a proxy can move to another server under a connection that stays. A plain role may call all of it. Only a role that
 * may see settings is shown the data directory; that of the embedded server always is one.
 */
export const IS_THIS_DATABASE = (i: string): string => `
  (${i}.system_identifier = (select system_identifier from pg_control_system())
   and ${i}.database_oid = (select oid::bigint from pg_database where datname = current_database())
   and case when ${i}.data_directory is null or not pg_has_role(current_user, 'pg_read_all_settings', 'usage') then true
            else ${i}.data_directory = current_setting('data_directory') end)`;

/**
 * SQL: this database was restored or copied, and no operator has said that it is the one to go on with (restore:confirm). Or its identity
 * is not there: each start writes it before anything is signed, so a restore is under way.
 */
export const IS_RESTORED = `not exists (select from database_identity i where ${IS_THIS_DATABASE('i')})`;

/** SQL: the timeline that this server writes now. The control file names it only from the checkpoint after a promotion on. */
export const TIMELINE = `left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/** SQL: rows can be missing only if this is not true of the row `i`: no promotion, no recovery, no `pg_restore --clean` since. */
export const IS_CONTINUOUS = (i: string): string =>
  `(coalesce(${i}.timeline = ${TIMELINE}, false) and coalesce(${i}.table_oid = ${i}.tableoid::bigint, false))`;

/** SQL: as `IS_CONTINUOUS`, also after a pause, while no other reason says that rows are missing. */
export const IS_PAUSED_AT_MOST = (i: string): string =>
  `(coalesce(coalesce(${i}.timeline, ${i}.paused_timeline) = ${TIMELINE}, false) and coalesce(${i}.table_oid = ${i}.tableoid::bigint, false))`;
