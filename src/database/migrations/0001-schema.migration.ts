import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Migration } from '@mikro-orm/migrations';

/** Git may have changed the ends of lines; the schema is the same. */
const SCHEMA = readFileSync(join(__dirname, '0001-schema.sql'), 'utf8').replaceAll('\r\n', '\n');
const CHECKSUM = createHash('sha256').update(SCHEMA).digest('hex').slice(0, 12);

/** With the file's checksum, which the database keeps: until the first release the file is edited in place. */
export const SCHEMA_NAME = `0001-schema.${CHECKSUM}`;

export class Schema extends Migration {
  override name = SCHEMA_NAME;

  override up(): void {
    this.addSql(SCHEMA);
  }
}
