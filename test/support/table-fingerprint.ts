import { createHash } from 'node:crypto';
import type { Sql } from '../../src/database/sql';

/** It reads the catalog itself: the views of information_schema look up rights for each column, for thirty times as long. */
const TABLES = {
  name: 'test_tables_with_columns',
  text: `select c.relname::text as table, array_agg(a.attname::text order by a.attnum) as columns
           from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1 order by 1`,
};

/** What every table holds, as one hash for each; with a user given, that user's rows of those tables that have users. */
export async function fingerprint(
  sql: Sql,
  { userId, except = [] }: { userId?: string; except?: readonly string[] } = {},
): Promise<Record<string, string>> {
  const parts: string[] = [];
  for (const { table, columns } of await sql.rows<{ table: string; columns: string[] }>(TABLES)) {
    const owner = table === 'users' ? 'id' : columns.includes('user_id') ? 'user_id' : null;
    if (except.includes(table) || (userId !== undefined && owner === null)) continue;
    const where = userId === undefined ? '' : `where r.${owner}::text = '${userId}'`;
    parts.push(`select '${table}' as table, count(*) || ' ' || coalesce(md5(string_agg(r::text, '|' order by r::text)), '')
                  as hash from "${table}" r ${where}`);
  }
  const text = parts.join(' union all ');
  const name = `test_${createHash('md5').update(text).digest('hex')}`;
  const rows = await sql.rows<{ table: string; hash: string }>({ name, text });
  return Object.fromEntries(rows.map(({ table, hash }) => [table, hash]));
}
