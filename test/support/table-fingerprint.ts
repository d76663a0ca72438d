import { createHash } from 'node:crypto';
import type { Sql } from '../../src/database/sql';

const TABLES = {
  name: 'test_tables_with_columns',
  text: `select t.table_name as table, array_agg(c.column_name::text) as columns
           from information_schema.tables t
           join information_schema.columns c on c.table_name = t.table_name and c.table_schema = t.table_schema
          where t.table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1 order by 1`,
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
