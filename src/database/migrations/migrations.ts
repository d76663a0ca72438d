import { FirstTables } from './0001-first-tables.migration';

/** In the order they are applied; a migration that was released is never changed. */
export const MIGRATIONS = [{ name: '0001-first-tables', class: FirstTables }];
