import type { MigrationObject } from '@mikro-orm/postgresql';
import { Schema, SCHEMA_NAME } from './0001-schema.migration';

/** In the order in which they are applied. A migration that was released is never changed. */
export const MIGRATIONS: MigrationObject[] = [{ name: SCHEMA_NAME, class: Schema }];
