import { type Client, escapeIdentifier } from 'pg';

/** Nobody changes what was written here, least of all the application. */
const APPEND_ONLY = ['ledger_entries', 'audit_log', 'order_keys', 'delegation_events'];
/** Rows that the service deletes. Of all other tables it deletes none: no money, no order, nothing that was signed. */
const PASSING = [
  'chain_faults',
  'instance_terms',
  'invitations',
  'known_places',
  'late_orders',
  'notice_deliveries',
  'notice_marks',
  'pending_sign_ins',
  'rate_limit_windows',
  'recovery_codes',
  'refused_attempt_days',
  'refused_attempts',
  'second_factors',
  'sessions',
  'unexplained_stakes',
  'webhook_deliveries',
  'webhook_events',
  'webhooks',
];

/** Lets the application's role work with rows, and with rows only. Runs as the role that owns the tables. */
export async function grantToApplication(client: Client, applicationRole: string, tables: string[]): Promise<void> {
  const role = escapeIdentifier(applicationRole);
  const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
  await client.query(`grant usage on schema ${escapeIdentifier(rows[0]!.schema)} to ${role}`);
  await client.query(`grant select, insert on ${listOf(tables)} to ${role}`);
  const changeable = tables.filter((table) => !APPEND_ONLY.includes(table));
  await client.query(`grant update on ${listOf(changeable)} to ${role}`);
  await client.query(`grant delete on ${listOf(PASSING)} to ${role}`);
  // Older versions granted more.
  await client.query(`revoke update on ${listOf(APPEND_ONLY)} from ${role}`);
  const kept = tables.filter((table) => !PASSING.includes(table));
  await client.query(`revoke delete on ${listOf(kept)} from ${role}`);
  await client.query(`grant select on mikro_orm_migrations to ${role}`);
  for (const sequence of await findSequences(client, tables)) {
    await client.query(`grant usage on sequence ${sequence} to ${role}`);
  }
}

async function findSequences(client: Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ sequence: string }>(
    `select sequence.oid::regclass::text as sequence
       from pg_class sequence
       join pg_depend owned on owned.objid = sequence.oid and owned.deptype = 'a'
      where sequence.relkind = 'S' and owned.refobjid = any($1::regclass[])`,
    [tables],
  );
  return rows.map((row) => row.sequence);
}

function listOf(tables: string[]): string {
  return tables.map((table) => escapeIdentifier(table)).join(', ');
}
