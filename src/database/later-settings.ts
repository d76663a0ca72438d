import type { Client } from 'pg';

/**
 * PostgreSQL 17 and newer cut a transaction by it, whatever its statements may take. 15 and 16 would refuse a connection that asks for it at
 * its start.
 */
export const UNTIMED_TRANSACTIONS = { transaction_timeout: '0' } as const;

/** For the session, or for its open transaction alone; a server that does not know a setting goes without it. */
export async function setWhereKnown(
  client: Pick<Client, 'query'>,
  settings: Readonly<Record<string, string>>,
  within: 'session' | 'transaction' = 'session',
): Promise<void> {
  await client.query(
    `select set_config(name, value, $3) from unnest($1::text[], $2::text[]) as wanted (name, value) join pg_settings using (name)`,
    [Object.keys(settings), Object.values(settings), within === 'transaction'],
  );
}
